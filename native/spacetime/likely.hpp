// When a goal is reached most likely, from every landmark at every time.
//
// Unlike bounds (arrivals.hpp) this is an estimate: it decides in which order a search tries what,
// never what it leaves out. Backward in time over the blocks of meetings; over the ground from
// landmark to landmark.
#pragma once

#include <vector>

#include "spacetime/meetings.hpp"

namespace surefoot::spacetime {

struct Pace {
  double speed = 1;        // [m/s] over the ground
  double crossing = 2;     // [s] that a way from body to body takes
  double gap = kInfinity;  // [m] between bodies that one goes from and to, and
  double later = 0;        // [s] after the departure
  double earliest = -kInfinity, latest = kInfinity;  // [s] to be at a goal
};

class Likely {
 public:
  // `soonest`: nobody is at a landmark before. `dear`: [1/s] by landmark, what a second under way
  // there costs beyond a wait.
  Likely(const Meetings& meetings, const std::vector<bool>& goals, std::vector<double> soonest,
         std::vector<double> dear, const Pace& pace);

  // [s]: when somebody who is at a landmark at a time is at a goal; infinity where never.
  double goal(int landmark, double t) const;
  // What being under way from a landmark to a goal costs beyond a wait as long.
  double under_way(int landmark) const { return under_way_[landmark]; }
  // [s]: nobody is at a landmark before.
  double soonest(int landmark) const { return soonest_[landmark]; }

 private:
  struct Way {
    int from;
    size_t lasts;  // blocks
  };

  // [s] by landmark, to a goal over the ground; or what it costs, from body to body as well.
  std::vector<float> going(const Meetings& meetings, const std::vector<bool>& goals,
                           const std::vector<double>* dear) const;
  void solve(size_t block);
  float at(int landmark, size_t block) const;
  void improve(int landmark, size_t block, size_t lasts, float arrives);

  Pace pace_;
  size_t blocks_, crossing_;
  double start_;
  std::vector<double> soonest_;
  std::vector<float> on_foot_, under_way_;
  std::vector<float> arrives_;                               // [s] by block, landmark
  std::vector<std::vector<Way>> ways_;                       // by landmark: over the ground to it
  std::vector<std::vector<std::pair<int, int>>> crossings_;  // by block: from, to
  std::vector<int> fresh_;               // landmarks that are better in the block under way
  std::vector<std::vector<int>> later_;  // likewise by block
};

}  // namespace surefoot::spacetime
