// What is left to a goal most likely costs, from every landmark at every time.
//
// Unlike bounds (arrivals.hpp) this is an estimate: it decides in which order a search tries what,
// never what it leaves out. Backward in time over the blocks of meetings; over the ground from
// landmark to landmark, between what passes there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "spacetime/meetings.hpp"

namespace surefoot::spacetime {

struct Pace {
  double speed = 1;        // [m/s] over the ground, and
  double start = 0;        // [s] that every way takes besides
  double crossing = 2;     // [s] that a way from body to body takes
  double gap = kInfinity;  // [m] between bodies that one goes from and to, and
  double later = 0;        // [s] after the departure
  double second = 1;       // [1/s]: what a wait costs
  double halt = 0;         // [s] to come to a stand at a goal
  double earliest = -kInfinity, latest = kInfinity;  // [s] to be at a goal
  double hindered = 0;  // [s] longer that a way takes where something stands in it
};

class Likely {
 public:
  // `soonest`: nobody is at a landmark before. `dear`: [1/s] by landmark, what a second under way
  // there costs beyond a wait.
  Likely(const Meetings& meetings, const std::vector<bool>& goals, std::vector<double> soonest,
         std::vector<double> dear, const Pace& pace);

  // What is left costs for somebody who is at a landmark at a time; infinity where nothing leads
  // on.
  double left(int landmark, double t) const { return left_of(left_, landmark, t); }
  // [s] that a way from body to body is taken to last.
  double crossing() const { return pace_.crossing; }
  // [s]: nobody is at a landmark before.
  double soonest(int landmark) const { return soonest_[landmark]; }

 private:
  friend class Outlook;

  // Over the ground, or from body to body.
  struct Way {
    int from, to;
    uint32_t lasts;  // blocks
    float cost;
    int32_t blocked;  // row of departures at which something is in the way; -1: none
  };

  // A way over the ground as seen from where it leads to.
  struct Leading {
    int from;
    uint32_t lasts;  // blocks
    float cost;
  };

  void lay_ways(const Meetings& meetings);
  void turn_ways();
  // Where bodies that pass are in the way of those at rest.
  void look_at_traffic(const Meetings& meetings);
  void pass(const std::vector<Landmark>& marks, const Box& box, size_t block, int what);
  void solve();
  double left_of(const std::vector<float>& left, int landmark, double t) const;
  // What a way costs that takes so long.
  float cost(int from, int to, double takes) const {
    return static_cast<float>(takes * (pace_.second + 0.5 * (dear_[from] + dear_[to])));
  }
  size_t block_at(double t) const {
    return std::min(Meetings::block_at(t, start_, blocks_), blocks_ - 1);
  }
  // tell(to, cost) for every way from body to body that somebody at a landmark departs on in a
  // block.
  template <class Tell>
  void each_crossing(size_t block, int from, Tell tell) const {
    const auto& crossings = crossings_[block];
    for (auto it = std::lower_bound(crossings.begin(), crossings.end(), std::pair{from, -1});
         it != crossings.end() && it->first == from; ++it)
      tell(it->second, cost(from, it->second, pace_.crossing));
  }
  // What somebody has left who is at a landmark in a block, by being there.
  float at_goal(int landmark, size_t block) const;
  // Whether nobody is at a landmark in a block.
  bool beyond(int landmark, size_t block) const {
    return start_ + Meetings::kBlock * static_cast<double>(block + 1) <= soonest_[landmark];
  }
  void block(int32_t& row, size_t departs);
  bool blocked(int32_t row, size_t departs) const {
    return row >= 0 && (rows_[row * words_ + departs / 64] >> (departs % 64) & 1);
  }

  const Meetings* meetings_;
  Pace pace_;
  std::vector<bool> goals_;
  size_t blocks_, words_, crossing_;
  double start_;
  std::vector<double> soonest_;
  std::vector<double> dear_;
  std::vector<float> left_;        // by block, landmark
  float wait_;                     // what it costs for a block
  std::vector<Way> ways_;          // over the ground, by where they lead from
  std::vector<size_t> first_;      // of them, by landmark
  std::vector<int32_t> occupied_;  // likewise rows, by landmark
  std::vector<uint64_t> rows_;
  std::vector<std::vector<std::pair<int, int>>> crossings_;  // by block: from, to
  // The same from the other end.
  std::vector<Leading> leading_;                                // by where they lead to
  std::vector<size_t> first_leading_;                           // of them, by landmark
  std::vector<std::vector<std::pair<int, int>>> crossings_to_;  // by block: to, from
};

}  // namespace surefoot::spacetime
