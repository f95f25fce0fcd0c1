// What a character can do next: annotated steps at some speeds and turns, and which may follow
// which (beacco2013, sections 4.3, 5.2 and 5.4).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "motion/carriers.hpp"

namespace surefoot::footsteps {

// Sampled moments of a step, and points of the body at each (4.3): the root, around which the trunk
// is, then what the five cylinders of 5.5 are around; feet last.
inline constexpr int kSamples = 9, kPoints = 6;
inline constexpr int kRoot = 0, kFeet = 4;

struct Point {
  float x, y, z;
};
using Figure = Point[kPoints];

// One action: a step at a speed. Lengths are in the frame that the body travels in when it begins:
// x where it faces, y to its left.
struct Action {
  double dx, dy;        // [m] how far the body goes
  double turn;          // [rad] how far it turns
  double cosine, sine;  // of the turn
  double duration;      // [s]
  double effort;        // [J/kg] of 5.3
  double excess;        // [J/kg] at least, beyond what the distance alone costs, until it can stand
  int32_t shape;        // row of the samples
  int32_t stop;         // what to do next to come to a stand; itself where it stands
  float girth;          // [m] radius of the one cylinder of 5.5 around root and all five others
  float pace;           // [m/s] of the fastest of its points
  int32_t kind;         // actions of a kind leave a body in about the same motion
  uint8_t stands;       // 1: both feet stay, the body is at rest
  uint8_t lands;        // bits: which feet come down
  uint8_t often;        // 1: a foot comes down more than once
  uint8_t platform;     // 1: for ground that asks for it only: stairs, jumps, crouches
  // Where each sole is when the action ends, in the frame that the body travels in then: x, y [m]
  // and where the toes point [rad].
  float soles[2][3];
  // [m] what each foot is on, or comes from, when the action begins and ends; above the mean of
  // both when it begins.
  float ground[2][2];
  float up, down;   // [m] how far up and down it may take a foot from where the other one is
  float leaves[2];  // 0 to 1: when a foot that lands has left the ground
  float lift;     // [m] by which the body is higher than by itself when it begins, and no more soon
  uint8_t flies;  // 1: both feet are in the air for a while

  // [m] how far up it goes by itself.
  float rise() const { return (ground[1][0] + ground[1][1]) / 2; }
};

struct StepTable {
  std::vector<Action> actions;
  // Those that may follow action a: successors[offsets[a]] to successors[offsets[a + 1]], with what
  // the change costs [J/kg].
  std::vector<int32_t> offsets, successors;
  // The first so many of them are usual ones, no platform actions.
  std::vector<int32_t> usual;
  std::vector<float> changes;
  std::vector<float> samples;         // shapes x kSamples x kPoints x 3
  float radii[kPoints];               // [m] of the cylinders; the root's is not used
  float low[kPoints], high[kPoints];  // [m] which heights around a point its cylinder fills
  float sole;                         // [m] how high the points of feet are above what they are on
  double price;                       // [J/(kg m)] at least: 2 sqrt(e_s e_w) (5.3)

  // Throws where its parts do not fit each other.
  void check() const;

  // What may follow an action; platform actions only on `rough` ground.
  std::span<const int32_t> after(int32_t action, bool rough) const {
    const int32_t first = offsets[action], last = rough ? offsets[action + 1] : usual[action];
    return {successors.data() + first, successors.data() + last};
  }
  const Point* figure(int32_t shape, int sample) const {
    const size_t row = static_cast<size_t>(shape) * kSamples + static_cast<size_t>(sample);
    return reinterpret_cast<const Point*>(samples.data() + row * kPoints * 3);
  }
};

// Where a body travels when an action begins or ends.
struct State {
  double x, y, z;       // [m] the floor between the feet
  double cosine, sine;  // of where it faces
  double heading;       // [rad], not wrapped
  double t;             // [s]
  double feet[2];       // [m] how high what each foot is on, or comes from, is
  int32_t body;         // in whose frame all this is; -1: the world's own
  int32_t on[2];        // what each foot is on, or comes from; -1: what rests
};

// The ground that feet come down to at the end of an action.
struct Treads {
  float tilt[2][2] = {};  // x and y of its normal under each foot
  float arch = 0;         // [m] that a foot is raised by on its way, over what lies there
  float effort = 0;       // [J/kg] that all this costs beyond the action's own
};

// Throws where a state is nowhere, or at no time.
void check_state(const State& state, const char* name);

// Where an action takes a body.
inline State moved(const State& from, const Action& action) {
  State to = from;
  to.x += from.cosine * action.dx - from.sine * action.dy;
  to.y += from.sine * action.dx + from.cosine * action.dy;
  to.cosine = from.cosine * action.cosine - from.sine * action.sine;
  to.sine = from.sine * action.cosine + from.cosine * action.sine;
  to.heading += action.turn;
  to.t += action.duration;
  return to;
}

inline State facing(double x, double y, double z, double heading, double t) {
  return {x, y, z, std::cos(heading), std::sin(heading), heading, t, {z, z}, -1, {-1, -1}};
}

// A state in the frame of another body, as it is at `t` [s]; feet stay on what they are on.
inline State rebased(const Carriers* carriers, const State& s, int32_t body, double t) {
  if (s.body == body || carriers == nullptr) return s;
  const Spot to = rebased(carriers, Spot{s.x, s.y, s.z, s.heading, s.body}, body, t);
  State other = facing(to.x, to.y, to.z, to.yaw, s.t);
  for (int foot = 0; foot < 2; ++foot)
    other.feet[foot] = s.feet[foot] + to.z - s.z, other.on[foot] = s.on[foot];
  other.body = body;
  return other;
}

// A point of a sample where the body is.
inline Point placed(const State& at, const Point& p) {
  const auto c = static_cast<float>(at.cosine), s = static_cast<float>(at.sine);
  return {static_cast<float>(at.x) + c * p.x - s * p.y,
          static_cast<float>(at.y) + s * p.x + c * p.y, static_cast<float>(at.z) + p.z};
}

// How an action that ends elsewhere than by itself takes the points of a body along.
class Warp {
 public:
  Warp(const State& from, const State& to, const Action& action) {
    const State usual = moved(from, action);
    const auto away = [](double a, double b) { return static_cast<float>(a - b); };
    x_ = away(to.x, usual.x), y_ = away(to.y, usual.y);
    end_ = away(to.z, from.z) - action.rise();
    for (int foot = 0; foot < 2; ++foot) {
      comes_[foot] = (action.lands >> foot & 1) ? 1.0f : 0.0f;
      feet_[0][foot] = away(from.feet[foot], from.z) - action.ground[0][foot];
      feet_[1][foot] = away(to.feet[foot], from.z) - action.ground[1][foot];
    }
  }
  // What a point moves by, a share of 0 to 1 into the action.
  Point at(int point, float share) const {
    const float s = share * share * share * (10 + share * (6 * share - 15));
    if (point < kFeet) return {s * x_, s * y_, s * end_};
    const int foot = point - kFeet;
    const float along = s * comes_[foot];  // a foot that stays stays where it is
    return {along * x_, along * y_, (1 - s) * feet_[0][foot] + s * feet_[1][foot]};
  }

 private:
  float x_, y_, end_, feet_[2][2], comes_[2];
};

// A point of an action's sample where the body is.
inline Point placed(const State& at, const Warp& warp, const Point* figure, int point,
                    float share) {
  const Point p = placed(at, figure[point]), by = warp.at(point, share);
  return {p.x + by.x, p.y + by.y, p.z + by.z};
}

}  // namespace surefoot::footsteps
