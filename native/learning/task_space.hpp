// Task parameters on a grid, and how they change when the character moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace surefoot::learning {

// More axes than anybody's memory holds.
inline constexpr size_t kMostAxes = 10;

// Where a number lies between the points of an axis.
struct Between {
  int32_t first, second;
  float share;  // of the second
};

// A sample of tasks, and how much it counts.
struct Corner {
  size_t place;
  double weight;
};

// Increasing points on a line, or round a circle of `period`.
class Axis {
 public:
  Axis(std::vector<double> points, double period);

  size_t size() const { return points_.size(); }
  double operator[](size_t i) const { return points_[i]; }
  bool circular() const { return period_ > 0.0; }
  // Numbers beyond the ends of a line count as its ends.
  Between locate(double x) const;

 private:
  std::vector<double> points_;  // and, of a circle, the first again, one period on
  double period_;
  // Where to begin to look, by even buckets.
  std::vector<int32_t> start_;
  double per_unit_ = 0.0;
};

// What the first two axes of a task say about a place, as the character sees it.
enum class Relation : int32_t {
  kNone,   // nothing: they are like the others
  kPlane,  // metres ahead and to the left
  kPolar,  // distance and bearing
  kLine,   // distance of a line, and the direction of its normal
};

// How another axis changes with an action.
enum class Rule : int32_t {
  kTurn,   // by the character's own turn
  kShift,  // by the action's shift
  kAlong,  // by the way along the line that the place is, to the left of its normal
};

// What an action does to a task.
struct Displacement {
  double ahead, left, turn;        // of the character, in its frame before the action
  std::span<const double> shifts;  // of the axes that shift
};

class TaskSpace {
 public:
  // `rules` for the axes after those of the relation; at most kMostAxes axes in all.
  TaskSpace(std::vector<Axis> axes, Relation relation, std::vector<Rule> rules);

  size_t size() const { return size_; }
  size_t dimensions() const { return axes_.size(); }
  size_t shifts() const { return shifts_; }
  const Axis& axis(size_t i) const { return axes_[i]; }
  Relation relation() const { return relation_; }

  // out[w] = in[w'], between grid points, where w' is what task w becomes. `in` is not kept;
  // all three have size() numbers.
  void displaced(const Displacement& by, float* in, float* scratch, float* out) const;
  // The same for one task of dimensions() numbers, in place.
  void displace(const Displacement& by, double* task) const;
  // The value at a task of dimensions() numbers.
  double at(const float* values, const double* task) const;
  // Tells the points of the grid around a task, and how much each counts.
  template <class Seen>
  void around(const double* task, Seen seen) const {
    const size_t axes = axes_.size();
    std::array<Between, kMostAxes> taps;
    for (size_t k = 0; k < axes; ++k) taps[k] = axes_[k].locate(task[k]);
    for (size_t corner = 0; corner < size_t{1} << axes; ++corner) {
      double weight = 1.0;
      size_t place = 0;
      for (size_t k = 0; k < axes; ++k) {
        const bool second = (corner >> k) & 1;
        weight *= second ? taps[k].share : 1.0 - taps[k].share;
        place = place * axes_[k].size() + (second ? taps[k].second : taps[k].first);
      }
      if (weight != 0.0) seen(place, weight);
    }
  }

 private:
  size_t coupled() const { return relation_ == Relation::kNone ? 0 : 2; }
  void displace_place(const Displacement& by, double& first, double& second) const;
  // What an action makes of the place at every point of the grid.
  void displace_places(const Displacement& by, size_t inner, const float* in, float* out) const;
  // What an action makes of a number of an axis after the place.
  double displaced_number(const Displacement& by, size_t rule, size_t shift, double number) const;

  std::vector<Axis> axes_;
  Relation relation_;
  std::vector<Rule> rules_;
  size_t size_ = 1, shifts_ = 0, longest_ = 0;
  bool along_ = false;  // whether the axis after the place says how far along a line something is
};

}  // namespace surefoot::learning
