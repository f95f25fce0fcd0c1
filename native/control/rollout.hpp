// Rollouts: what a controller does from a configuration, in a world or on endless level ground.
#pragma once

#include <array>
#include <optional>

#include "control/controller.hpp"
#include "control/played.hpp"

namespace surefoot::control {

// The frame of a body in the middle of an action.
Level world_level(Snapshot* view, int frame, const Level& local, double t);
Level frame_level(Snapshot* view, int frame, const Level& world, double t);
// Where the body is in a piece, at a time into its action; in the world, then.
Level piece_level(const Moves& moves, Snapshot* view, const Piece& piece, double into);

class Roller {
 public:
  // Without a view: on endless level ground. `remembers`: all rollouts have the same start, time
  // and target, and what was played in one is not played again in another.
  Roller(const Controller& controller, Snapshot* view, const Needs& needs, const Limits& limits,
         bool remembers = false)
      : controller_(controller),
        view_(view),
        needs_(needs),
        limits_(limits),
        remembers_(remembers) {}

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
             const std::array<double, learning::kMostAxes>& task, double radius);
  bool play_or_recall(int& at, const Piece& piece, double until, const Target& target,
                      Rollout& out);
  bool play(Piece piece, double until, const Target& target, Rollout& out);
  bool together(int one, int other) const;
  bool land(const Stand& stand, Piece& piece, Rollout& out);
  bool clear(const Piece& piece, Rollout& out);
  bool aboard(const Piece& piece, int frame) const;
  std::optional<double> arrival(const Piece& piece, const Target& target) const;
  Configuration left_at(const Piece& piece) const;
  int carrier(const Rollout& out) const;
  void split(Piece& piece, double into, int frame, Vec3 drift, Rollout& out) const;
  Vec3 target_at(const Target& target, double t) const;

  const Controller& controller_;
  Snapshot* view_;
  Needs needs_;
  Limits limits_;
  bool remembers_;
  Played played_;
  std::vector<double> times_;
  std::vector<Vec3> points_;
  std::vector<Past> past_;
  std::vector<int> done_;
};

}  // namespace surefoot::control
