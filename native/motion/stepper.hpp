// One character that takes steps as they come, each to where it was planned to end, on what rests
// or carries it: what motion/playing does in Python for any schedule, for many characters in real
// time.
#pragma once

#include <limits>
#include <vector>

#include "motion/lowering.hpp"
#include "motion/travelling.hpp"

namespace surefoot {

inline constexpr double kNever = std::numeric_limits<double>::infinity();  // [s]

// What the feet of a piece come down to: for each the ground's height where its sole is planned to
// be, and how steeply it rises from there along x and y, in the frame that the piece ends in.
struct Treading {
  double x[2], y[2], height[2];  // [m]
  double slope[2][2];
  double from[2];   // [m] how high what each foot was on before is, in the frame that it begins in
  double arch;      // [m] that a foot is raised by on its way
  int32_t body[2];  // what each foot is on in the end; -1: what rests
};

class Stepper {
 public:
  // Travels at a spot from `t` [s] on.
  Stepper(const Spot& at, double t) : going_(at), until_(t) {}

  // Plays a piece from the end of the last one on; where the body then travels. Its pelvis sinks as
  // far as its legs ask for along a curve, which goes on from piece to piece; without one it is
  // where it was planned across the ground, and may be a little too high.
  // `carriers` are the bodies that spots and feet are on; none where all rests.
  void append(const Reel& reel, int32_t piece, const Spot& to, const Treading& ground, double blend,
              Lowering* sinking, const Carriers* carriers);
  double until() const { return until_; }
  // The next piece begins at `t` [s]: it rests until then, or the last piece is cut short.
  void wait(double t) { until_ = t; }
  // Only what the next piece needs to know, not the beats of the last one.
  Stepper kept() const;
  // The beat that `t` is in: of the last piece, or at rest after it.
  const Beat& beat(double t) const;
  const Spot& going() const { return going_; }

 private:
  struct Cue {
    const Take* take = nullptr;
    int32_t piece = -1;
    double begin = 0, end = 0, start = 0, speed = 1, until = 0;

    double when(double clip_time) const { return start + (clip_time - begin) / speed; }
    double clip_time(double t) const { return begin + speed * (t - start); }
  };
  // What a foot is on, in the frame of a body.
  struct Hold {
    Vec3 position;
    Quat rotation;
    int32_t body = -1;

    Hold on(const Carriers* carriers, int32_t other, double t) const;
  };
  struct Phase {
    bool stands;
    double start, end;
    Hold hold{};                   // of a stance
    const Fall* fall = nullptr;    // what the clip has there
    const Fall* before = nullptr;  // likewise the clip that it takes over from
    bool lands = false;            // of a swing
    Ease leave{}, land{};
    double arch = 0;  // [m] that a swing is raised by
    Vec3 way{};       // [m] from foothold to foothold
  };
  struct Landing {
    int foot;
    const Fall* fall;
    double t;
    Hold hold{};
  };
  struct Leg {
    double start, end;
    LevelFrame begin, finish;
  };
  struct Entered {
    bool stands = false;
    Phase phase{};
    std::vector<Landing> landings;
  };

  Entered enter(const Reel& reel, const Cue& cue, const LevelFrame& frame, int foot, double blend,
                const Treading& ground, const Carriers* carriers);
  void walk(const Cue& cue, const LevelFrame& frame, const Spot& to, const Treading& ground,
            std::vector<Landing*>& landings, std::vector<Leg>& legs,
            const Carriers* carriers) const;
  std::vector<Phase> phases(const Cue& cue, const Entered& entered, int foot,
                            const Treading& ground, const Carriers* carriers) const;
  void ease(const Reel& reel, const std::vector<Leg>& legs, const std::vector<Beat>& rows,
            std::vector<Phase>* own, const Carriers* carriers) const;
  void lower(const Reel& reel, Lowering& sinking, const Carriers* carriers);
  Beat row(const Reel& reel, const Cue& cue, const Leg& leg, double blend) const;

  Spot going_;
  double until_;
  bool first_ = true;
  Cue last_cue_;
  Leg last_leg_{};
  Phase last_[2]{};
  Hold held_[2]{};  // what each foot is on or comes from
  std::vector<Beat> beats_;
  Beat rest_{};
};

// Poses of beats; frames and feet are on the bodies of `carriers`: one set for each beat, or one
// for all. Null where all rests.
void play_on(const Reel& reel, std::span<const Beat> beats, std::span<const double> times,
             std::span<const Carriers* const> carriers, const Played& out, int threads,
             const Interrupt& interrupt);

}  // namespace surefoot
