// Edges out of a table: when which way is open, and how long it takes. Whatever a world is, at even
// ticks it is a timetable; searches are proven on these.
#pragma once

#include <cstdint>
#include <vector>

#include "spacetime/edges.hpp"

namespace surefoot::spacetime {

struct Timetable {
  size_t landmarks = 0, controllers = 0, ticks = 0;
  double tick = 0.1;               // [s]
  std::vector<int32_t> durations;  // [ticks] by from, controller, to, tick; 0 where there is no way
  std::vector<int32_t> until;      // by landmark, tick: the last tick to which one can stay
  std::vector<double> rates;       // [1/s] by controller
  std::vector<double> ahead;       // by landmark
  std::vector<bool> goals;         // by landmark
  double looseness = 1.0;          // of bounds: which part of the least duration they are

  size_t index(int from, int controller, int to) const {
    return (from * controllers + controller) * landmarks + to;
  }
};

class TimetableEdges final : public Edges {
 public:
  explicit TimetableEdges(Timetable table);

  size_t landmarks() const override { return table_.landmarks; }
  std::span<const int> near(int landmark) const override { return near_[landmark]; }
  double in_reach(int from, int to, int controller, double t) override;
  std::span<const int> choices(int, int) const override { return all_; }
  std::span<const int> instead(int, int, int) const override { return {}; }
  Bound bound(int from, int state, double arrived, double departs, int controller, int to) override;
  bool in_order(int, int) const override { return false; }
  double spread() const override { return spread_; }
  std::optional<Arrived> go(int from, int state, double arrived, double departs, int controller,
                            int to) override;
  double settled(int, int, double arrived) override { return arrived; }
  bool stays(int landmark, int state, double arrived, double until) override;
  Left left(int landmark, double, int) const override {
    return {table_.ahead[landmark], table_.ahead[landmark]};
  }
  double ahead(int landmark) const override { return table_.ahead[landmark]; }
  Least least(int from, int to, double waiting) const override;
  bool goal(int landmark) const override { return table_.goals[landmark]; }

 private:
  size_t tick_of(double t) const;
  int32_t duration(int from, int controller, int to, size_t tick) const {
    return table_.durations[table_.index(from, controller, to) * table_.ticks + tick];
  }

  Timetable table_;
  std::vector<std::vector<int>> near_;
  std::vector<int> all_;
  std::vector<int32_t> least_;  // by from, controller, to; 0 where there is never a way
  double spread_ = 0;
};

}  // namespace surefoot::spacetime
