// When a goal is reached at the earliest, from every landmark at every time.
//
// What is left "whatever the time" (ahead.hpp) knows nothing of waits. Here one may go from body to
// body only while their landmarks meet, so that whoever is early for a train is told to wait for
// it. Solved backward in time over the blocks of meetings; everything is rounded to the safe side.
#pragma once

#include <vector>

#include "spacetime/soonest.hpp"

namespace surefoot::spacetime {

// What it is to be at a goal.
struct AtGoal {
  double tolerance = 0.4;                            // [m]
  double earliest = -kInfinity, latest = kInfinity;  // [s]
};

class Arrivals {
 public:
  Arrivals(const Meetings& meetings, const std::vector<bool>& goals, const AtGoal& at_goal,
           const Fastest& fastest);

  // [s] Nobody who is at a landmark at a time is at a goal before; infinity where that is never.
  // `boarded`: whether one came there from another body.
  double goal(int landmark, double t, bool boarded) const;

 private:
  using Table = std::vector<float>;  // by landmark, block

  void begin();
  void solve(size_t block);
  bool depart(int landmark, size_t block, float arrives);
  void improve(Table& table, int landmark, size_t block, float arrives) {
    float& at = table[landmark * blocks_ + block];
    at = std::min(at, arrives);
  }
  // Blocks that pass while one goes so far.
  size_t passing(double seconds) const;

  const Meetings& meetings_;
  std::vector<bool> goals_;
  AtGoal at_goal_;
  Fastest fastest_;
  size_t blocks_;
  double start_, block_;
  Table near_, boarded_;     // when a goal is reached at the earliest
  std::vector<float> left_;  // likewise by landmark, for who departs to another body from now on
  std::vector<std::vector<int>> ground_;  // landmarks that are gone to over the ground
  struct Crossing {
    int from, to;
    size_t lasts;  // blocks
  };
  std::vector<std::vector<Crossing>> crossings_;  // by block
};

}  // namespace surefoot::spacetime
