// Rollouts: what a controller does from a configuration, in a world or on endless level ground.
#pragma once

#include <array>
#include <optional>

#include "control/controller.hpp"
#include "geometry/world.hpp"

namespace surefoot::control {

// A body in the middle of an action, or at the end of it.
struct Configuration {
  int frame = -1;  // the moving body that carries it; -1: nothing that moves
  Level level;     // in that frame
  int action = 0;
  double into = 0;  // [s] since the action's start; of its duration when it is over
};

// Where to go.
struct Target {
  int frame = -1;
  Vec3 place;
  double radius = 0.5;  // near enough
  double speed = 1.0;   // [m/s]: how soon it is thought to be reached, where it moves
};

// What gets in a body's way, and what carries it.
struct Needs {
  Shape shape;
  double max_slope;
  double foot_length;
};

// An action, or a part of one, in one frame.
struct Piece {
  int action;
  double begin, end;  // [s] since the action's start
  double start;       // [s] when it begins
  int frame;
  Level origin;         // of the action, in the frame
  Vec3 drift;           // [m/s] in the air: what the take-off's ground gave it
  bool flying = false;  // off ground that moves, or may

  double until() const { return start + end - begin; }
};

enum class Ending : int32_t { kReached, kLate, kStuck, kCollided, kUnsupported };

struct Rollout {
  std::vector<Piece> pieces;
  Ending ending = Ending::kLate;
  double time = 0;  // [s] when it ends
  Vec3 failure;     // in the world: where it collides, or where a foot finds no ground
  Configuration last;
};

struct Limits {
  double longest = 20.0;     // [s]
  double wait = -1.0;        // [s], >= 0: it ends after this time and not at the target
  double tolerance = 0.005;  // [s] of contacts
};

// The frame of a body in the middle of an action.
Level world_level(Snapshot* view, int frame, const Level& local, double t);
Level frame_level(Snapshot* view, int frame, const Level& world, double t);
// Where the body is in a piece, at a time into its action; in the world, then.
Level piece_level(const Moves& moves, Snapshot* view, const Piece& piece, double into);

class Roller {
 public:
  // Without a view: on endless level ground.
  Roller(const Controller& controller, Snapshot* view, const Needs& needs, const Limits& limits)
      : controller_(controller), view_(view), needs_(needs), limits_(limits) {}

  // `about`: target and obstacle in the frame of the start; the target moves with its own.
  void roll(const Configuration& start, double t, const Target& target, const Situation& about,
            Rollout& out);

 private:
  // What was done in a situation.
  struct Past {
    const Controller* deciding;
    size_t state;
    int action;
    std::array<double, learning::kMostAxes> task;
  };
  // What to do next; not what was done before in the same situation, as that led back to it.
  int decide(const Controller& deciding, size_t state,
             const std::array<double, learning::kMostAxes>& task);
  bool play(Piece piece, double until, const Target& target, Rollout& out);
  bool land(const Stand& stand, Piece& piece, Rollout& out);
  bool clear(const Piece& piece, Rollout& out);
  std::optional<double> arrival(const Piece& piece, const Target& target) const;
  bool airborne(int action, double into) const;
  Configuration left_at(const Piece& piece) const;
  int carrier(const Rollout& out) const;
  void split(Piece& piece, double into, int frame, Vec3 drift, Rollout& out) const;
  Vec3 target_at(const Target& target, double t) const;

  const Controller& controller_;
  Snapshot* view_;
  Needs needs_;
  Limits limits_;
  std::vector<double> times_;
  std::vector<Vec3> points_;
  std::vector<Past> past_;
  std::vector<int> done_;
};

}  // namespace surefoot::control
