// When a goal is reached most likely, from every landmark at every time.
//
// Unlike bounds (arrivals.hpp) this is an estimate: it decides in which order a search tries what,
// never what it leaves out. Backward in time over the blocks of meetings; over the ground from
// landmark to landmark, between what passes there.
#pragma once

#include <cstdint>
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
  // Over the ground, or from body to body.
  struct Way {
    int from, to;
    uint32_t lasts;   // blocks
    int32_t blocked;  // row of departures at which something is in the way; -1: none
  };

  // What being under way costs, by landmark.
  std::vector<float> going(const Meetings& meetings, const std::vector<bool>& goals,
                           const std::vector<double>& dear) const;
  void lay_ways(const Meetings& meetings);
  // Where bodies that pass are in the way of those at rest.
  void look_at_traffic(const Meetings& meetings);
  void pass(const Meetings& meetings, const Box& box, size_t block, int landmark);
  void solve(const std::vector<bool>& goals);
  void block(int32_t& row, size_t departs);
  bool blocked(int32_t row, size_t departs) const {
    return row >= 0 && (rows_[row * words_ + departs / 64] >> (departs % 64) & 1);
  }

  Pace pace_;
  size_t blocks_, words_, crossing_;
  double start_;
  std::vector<double> soonest_;
  std::vector<float> under_way_;
  std::vector<float> arrives_;     // [s] by block, landmark
  std::vector<Way> ways_;          // over the ground, by where they lead from
  std::vector<size_t> first_;      // of them, by landmark
  std::vector<int32_t> occupied_;  // likewise rows, by landmark
  std::vector<uint64_t> rows_;
  std::vector<std::vector<std::pair<int, int>>> crossings_;  // by block: from, to
};

}  // namespace surefoot::spacetime
