// Playing clips on a body: sampled, laid into the world, crossfaded, feet locked, legs solved.
//
// A beat is a span of time in which nothing changes but time itself: the same clips play, and each
// foot stands or swings. It holds everything that a pose inside it depends on, so a pose costs the
// same at any time and in any order, and characters do not know of each other.
#pragma once

#include <cstdint>
#include <span>

#include "geometry/parallel.hpp"
#include "geometry/vec.hpp"

namespace surefoot {

// Every field is a double, so that rows of a numpy matrix are beats.

// A level frame on a body (a slot of its poses, below 0: the world itself).
struct LevelFrame {
  double body, x, y, z, yaw;
};

// One clip on its way. Its frame goes over from `begin` to `finish` meanwhile: this is how the
// whole character is turned, shifted, lifted, and carried over from one body to another.
struct Playback {
  double first, frames, rate;  // in the footage: where it begins, how long it is, [1/s]
  double from, speed;          // [s] of the clip at `start`, and how fast it plays
  double start, end;           // [s]
  double halts;                // 1: comes to rest after `end`; 0: plays on
  LevelFrame begin, finish;
  double frame_start, frame_end;  // [s]
};

// Where a foot is beyond what the clips say: ankle [m], turn of the foot [rad], toes [rad]; and
// where that takes the body [m].
inline constexpr int kOffset = 10;

// An offset and its rate at one end of a swing; it fades away from there.
struct Ease {
  double start, duration;  // [s]; no ease where the duration is 0
  double value[kOffset], rate[kOffset];
};

struct FootBeat {
  double stands;                       // 1: locked to its hold; 0: in the air
  double body;                         // slot of the hold's body, below 0: the world itself
  double position[3];                  // [m] of the middle of the sole, on that body
  double rotation[4];                  // of the sole, on that body
  double flat_in, flat_out;            // [rad] pitch of the sole where the clips have it flat
  double anchor_in[3], anchor_out[3];  // [m] the sole in the clips' own space; NaN: not there
  Ease leave, land;
  double arch_start, arch_duration, arch_height;  // what a swing is raised by
  double arch_rise, arch_fall;                    // of its duration, in which it comes and goes
  double held_back[2];  // [m] across the ground: early up a step, late down one
};

inline constexpr int kDrops = 12;

struct Beat {
  double start, end;  // [s]
  Playback in, out;   // what plays, and what it takes over from
  double blend_start, blend_duration;
  double slack;   // [rad] of pitch that a standing foot does not follow
  double follow;  // 0..1: how much the body goes with its feet across the ground
  FootBeat feet[2];
  double drops[kDrops];  // [m] the pelvis is lowered by: from a sample before to one after the beat
};

inline constexpr int kBeatColumns = sizeof(Beat) / sizeof(double);
// The frames of both clips, then the holds of both feet.
inline constexpr int kSlots = 6;

// A leg and its foot, as the canonical skeleton has them.
struct LegShape {
  int32_t thigh, shin, foot, toe;  // joints
  Vec3 hip, knee, ankle;           // each in its parent's frame [m]
};

struct BodyShape {
  int32_t joints;
  LegShape legs[2];
  double ankle_height, ball_height, heel_behind, ball_ahead, middle_ahead;  // [m]
  double deepest;  // [m] that the pelvis is lowered at most, to reach what feet stand on
};

// Throws where a leg names a joint that is not there, or a size is not finite.
void check_shape(const BodyShape& shape);

struct Footage {
  const double* root;   // frames x 3
  const double* local;  // frames x joints x 4, without changes of sign within a clip
  size_t frames;
};

struct Played {
  double* root;       // n x 3
  double* local;      // n x joints x 4
  uint8_t* contacts;  // n x 2 x 2: heel and toes of left and right
  double* offsets;    // n x 2 x 10: where feet are beyond what the clips say
  double* needed;     // n: how far the pelvis would have to be lowered for the legs to reach
};

// Poses of beats `(n)` at `times` `(n)`. `bodies` (n x 6 x 7: position, rotation) are the poses of
// what carries frames and holds, at those times.
void play(const Footage& footage, const BodyShape& shape, std::span<const Beat> beats,
          std::span<const double> times, const double* bodies, const Played& out, int threads,
          const Interrupt& interrupt);

}  // namespace surefoot
