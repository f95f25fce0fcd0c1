// Published plans of others, and who of them is near.
#pragma once

#include <map>

#include "footsteps/track.hpp"

namespace surefoot::footsteps {

using TrackPtr = std::shared_ptr<const Track>;

class Traffic {
 public:
  void put(int32_t id, TrackPtr track);
  void remove(int32_t id);
  size_t size() const { return tracks_.size(); }

  // Sorts plans by where they go; before `near` is asked.
  void prepare();
  // Tracks other than that of `self` whose root comes into the square around a point, by id.
  void near(double x, double y, double reach, int32_t self, std::vector<const Track*>& out) const;
  // The plan of somebody; null where there is none.
  const Track* find(int32_t id) const {
    const auto found = tracks_.find(id);
    return found == tracks_.end() ? nullptr : found->second.get();
  }
  // Whether a plan of `self` keeps clear of all others from `start` [s] on.
  bool clear(const Track& track, int32_t self, double start, float room) const;

 private:
  std::map<int32_t, TrackPtr> tracks_;
  // Squares of the ground that plans come through: entries sorted by square, then by id.
  struct Entry {
    int64_t square;
    int32_t row;
  };
  std::vector<std::pair<int32_t, const Track*>> rows_;
  std::vector<Entry> entries_;
  bool prepared_ = false;
};

// Whether two bodies' cylinders, the five of beacco2013 5.5 and one around the trunk, come closer
// than `room` to each other while one goes from `a0` to `a1` and the other from `b0` to `b1`,
// evenly.
bool touch(const StepTable& one, const Figure a0, const Figure a1, const StepTable& other,
           const Figure b0, const Figure b1, float room);

// [m] between two bodies at a moment: the least of their cylinders'; negative where they overlap.
float gap(const StepTable& one, const Figure a, const StepTable& other, const Figure b);

// Whether two plans keep clear of each other from `start` to `end` [s], and after both have ended.
bool clear(const Track& one, const Track& other, double start, double end, float room);

}  // namespace surefoot::footsteps
