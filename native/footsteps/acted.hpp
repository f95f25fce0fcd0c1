// Where the points of a body are in the world while it does an action, on whatever carries it.
#pragma once

#include <algorithm>

#include "footsteps/step_table.hpp"

namespace surefoot::footsteps {

// A frame that is turned about the vertical only.
struct LevelPose {
  double cosine = 1, sine = 0, x = 0, y = 0, z = 0;

  static LevelPose of(const Spot& origin) {
    return {std::cos(origin.yaw), std::sin(origin.yaw), origin.x, origin.y, origin.z};
  }
  Point operator()(const Point& p) const {
    const auto of = [](double value) { return static_cast<float>(value); };
    return {of(x + cosine * p.x - sine * p.y), of(y + sine * p.x + cosine * p.y), of(z + p.z)};
  }
};

class Acted {
 public:
  // From one state to another, which may be on another body: the action goes over from the frame
  // of the first to that of the second, as it is played.
  Acted(const StepTable& table, const Carriers* carriers, const State& from, const State& to,
        int32_t index)
      : table_(table),
        action_(table.actions[index]),
        from_(from),
        warp_(from, rebased(carriers, to, from.body, to.t), action_),
        carried_(carriers != nullptr && (from.body >= 0 || to.body >= 0)),
        changes_(from.body != to.body) {
    if (!carried_) return;
    // The frame of the second as it would have to move for the bodies to meet in the end.
    const Spot origin{0, 0, 0, 0, from.body};
    const Spot there = rebased(carriers, origin, to.body, to.t);
    for (int i = 0; i < kSamples; ++i) {
      const double t = from.t + (to.t - from.t) * i / (kSamples - 1);
      first_[i] = LevelPose::of(in_world(carriers, origin, t));
      if (changes_) second_[i] = LevelPose::of(in_world(carriers, there, t));
    }
  }

  static float share(int sample) { return static_cast<float>(sample) / (kSamples - 1); }
  Point point(int sample, int p) const {
    const Point* figure = table_.figure(action_.shape, sample);
    const Point local = placed(from_, warp_, figure, p, share(sample));
    if (!carried_) return local;
    const Point first = first_[sample](local);
    if (!changes_) return first;
    const Point second = second_[sample](local);
    const float u = share(sample), s = u * u * u * (10 + u * (6 * u - 15));
    return {first.x + s * (second.x - first.x), first.y + s * (second.y - first.y),
            first.z + s * (second.z - first.z)};
  }
  void points(int sample, Point* out) const {
    for (int p = 0; p < kPoints; ++p) out[p] = point(sample, p);
  }
  // [m] by which the frame that it begins in is higher than the world's own.
  double lifted(int sample) const { return carried_ ? first_[sample].z : 0.0; }

 private:
  const StepTable& table_;
  const Action& action_;
  const State& from_;
  Warp warp_;
  bool carried_, changes_;
  LevelPose first_[kSamples], second_[kSamples];
};

// The points of a body that stays in a state, at `t` [s]: it goes along with what carries it.
inline void standing(const StepTable& table, const Carriers* carriers, const State& at,
                     int32_t action, double t, Point* out) {
  const Point* points = table.figure(table.actions[action].shape, kSamples - 1);
  const State there = rebased(carriers, at, -1, t);
  for (int p = 0; p < kPoints; ++p) out[p] = placed(there, points[p]);
}

}  // namespace surefoot::footsteps
