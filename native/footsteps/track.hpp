// A plan that is placed: where a body and its points are, at any time.
#pragma once

#include <memory>

#include "footsteps/step_table.hpp"

namespace surefoot::footsteps {

// Moments per second at which others look at a plan; in between it is linear. A power of two, so
// that moments are exact numbers.
inline constexpr double kRate = 16;

// A body at a moment.
struct Sight {
  Figure points;
  float girth;  // [m] of the one cylinder around it
};

class Track {
 public:
  // From `start` on; `heights` of the floor where each action ends.
  Track(std::shared_ptr<const StepTable> table, const State& start, std::vector<int32_t> actions,
        std::span<const double> heights);

  const StepTable& table() const { return *table_; }
  const std::vector<int32_t>& actions() const { return actions_; }
  // Where each action begins, and where the last one ends: one more than there are actions.
  const std::vector<State>& states() const { return states_; }
  double start() const { return states_.front().t; }
  double end() const { return states_.back().t; }
  // The action at `t`; after the end the last one.
  size_t index(double t) const;
  // Where the body travels at `t`: between the states, as its root goes.
  State at(double t) const;

  // Points at the moment `i` after the beginning of time; the first and last ones outside.
  const Sight& sight(int64_t moment) const {
    const int64_t i = moment - first_;
    const auto last = static_cast<int64_t>(sights_.size()) - 1;
    return sights_[static_cast<size_t>(i < 0 ? 0 : (i > last ? last : i))];
  }
  int64_t first_moment() const { return first_; }
  int64_t last_moment() const { return first_ + static_cast<int64_t>(sights_.size()) - 1; }
  // [m] that its fastest point goes between two moments, at most.
  float stride() const { return stride_; }
  // What holds the root at all times.
  float low_x() const { return low_.x; }
  float low_y() const { return low_.y; }
  float high_x() const { return high_.x; }
  float high_y() const { return high_.y; }

 private:
  void look();

  std::shared_ptr<const StepTable> table_;
  std::vector<int32_t> actions_;
  std::vector<State> states_;
  std::vector<Sight> sights_;
  int64_t first_ = 0;
  float stride_ = 0;
  Point low_, high_;
};

// The body's points `u` (0 to 1) into an action that begins at `from`.
void pose(const StepTable& table, const State& from, int32_t action, double u, Figure out);

}  // namespace surefoot::footsteps
