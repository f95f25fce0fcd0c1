// What rollouts begin with, keep to and give.
#pragma once

#include "control/moves.hpp"
#include "geometry/world.hpp"

namespace surefoot::control {

// A body in the middle of an action, or at the end of it.
struct Configuration {
  int frame = -1;  // the moving body that carries it; -1: nothing that moves
  Level level;     // in that frame
  int action = 0;
  double into = 0;  // [s] since the action's start; of its duration when it is over

  bool operator==(const Configuration&) const = default;
};

// Where to go.
struct Target {
  int frame = -1;
  Vec3 place;
  double radius = 0.5;  // near enough
  double speed = 1.0;   // [m/s]: how soon it is thought to be reached, where it moves
  // Whether it is reached wherever on its frame the first action ends that leads there; how near is
  // near enough still tells the controller what to go for.
  bool boards = false;
};

// What gets in a body's way, and what carries it.
struct Needs {
  Shape shape;
  double max_slope;
  double foot_length;

  bool operator==(const Needs&) const = default;
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
  double time = 0;       // [s] when it ends
  Vec3 failure;          // in the world: where it collides, or where a foot finds no ground
  bool passing = false;  // what it fails at moves, or may: it is elsewhere a moment later
  Configuration last;
};

struct Limits {
  double longest = 20.0;     // [s]
  double wait = -1.0;        // [s], >= 0: it ends after this time and not at the target
  double tolerance = 0.005;  // [s] of contacts
};

}  // namespace surefoot::control
