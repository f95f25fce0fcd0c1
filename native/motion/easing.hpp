// How feet in the air find back to where the clips have them.
#pragma once

#include <algorithm>
#include <array>

#include "motion/playing.hpp"

namespace surefoot {

inline constexpr double kForget = 0.15;  // [s] in which the rate of an offset dies away
inline constexpr double kEasing = 0.25;  // [s] in which a foot that is let go of finds to the clip

using Offset = std::array<double, kOffset>;

inline void add_ease(const Ease& ease, double since, double direction, Offset& offset) {
  const double x = std::clamp(since / ease.duration, 0.0, 1.0), x3 = x * x * x;
  const double value = 1 - x3 * (10 + x * (6 * x - 15));
  const double soon = std::min(ease.duration, kForget);
  const double y = std::clamp(since / soon, 0.0, 1.0), y3 = y * y * y;
  const double rate = soon * direction * (y - y3 * (6 + y * (3 * y - 8)));
  for (int i = 0; i < kOffset; ++i) offset[i] += value * ease.value[i] + rate * ease.rate[i];
}

// The offset of a foot between leaving the ground and landing, at `t` [s].
inline Offset eased(const Ease& leave, const Ease& land, double t) {
  Offset offset{};
  if (leave.duration > 0) add_ease(leave, t - leave.start, 1, offset);
  // Seen backward in time from the contact.
  if (land.duration > 0) add_ease(land, land.start + land.duration - t, -1, offset);
  return offset;
}

}  // namespace surefoot
