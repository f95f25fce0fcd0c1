#include "motion/travelling.hpp"

#include <algorithm>
#include <cmath>

namespace surefoot {
namespace {

struct Place {
  double x, y, heading;
};

Place travel(const Take& take, double t) {
  const auto last = static_cast<double>(take.heading.size() - 1);
  const double at = std::clamp(t * take.rate, 0.0, last);
  const size_t i = std::min(
      static_cast<size_t>(at),
      static_cast<size_t>(std::max<int64_t>(static_cast<int64_t>(take.heading.size()) - 2, 0)));
  const size_t j = std::min(i + 1, take.heading.size() - 1);
  const double u = at - static_cast<double>(i);
  return {(1 - u) * take.x[i] + u * take.x[j], (1 - u) * take.y[i] + u * take.y[j],
          (1 - u) * take.heading[i] + u * take.heading[j]};
}

// The mean height in the clip of what its feet are on or come from.
double floor_of(const Take& take, double t) {
  double sum = 0;
  int count = 0;
  for (const auto& falls : take.falls) {
    if (falls.empty()) continue;
    const Fall* last = &falls.front();
    for (const Fall& fall : falls)
      if (fall.start <= t + kTolerance) last = &fall;
    sum += last->position.z;
    ++count;
  }
  return count ? sum / count : 0;
}

Vec3 turned(double x, double y, double z, double yaw) {
  const double c = std::cos(yaw), s = std::sin(yaw);
  return {c * x - s * y, s * x + c * y, z};
}

Spot travelling(const LevelFrame& frame, const Take& take, double t) {
  const Place at = travel(take, t);
  const Vec3 p = turned(at.x, at.y, floor_of(take, t), frame.yaw);
  return {p.x + frame.x, p.y + frame.y, p.z + frame.z, frame.yaw + at.heading,
          static_cast<int32_t>(frame.body)};
}

double wrapped(double angle) { return std::atan2(std::sin(angle), std::cos(angle)); }

}  // namespace

LevelFrame aligned(const Spot& going, const Take& take, double t) {
  const Place at = travel(take, t);
  const double yaw = going.yaw - at.heading;
  const Vec3 p = turned(at.x, at.y, floor_of(take, t), yaw);
  return {static_cast<double>(going.body), going.x - p.x, going.y - p.y, going.z - p.z, yaw};
}

LevelFrame between(const LevelFrame& start, const LevelFrame& end, const Take& take, double t,
                   double share) {
  const Spot a = travelling(start, take, t), b = travelling(end, take, t);
  return aligned({(1 - share) * a.x + share * b.x, (1 - share) * a.y + share * b.y,
                  (1 - share) * a.z + share * b.z, a.yaw + share * wrapped(b.yaw - a.yaw), a.body},
                 take, t);
}

Vec3 laid(const LevelFrame& frame, Vec3 p) {
  const Vec3 q = turned(p.x, p.y, p.z, frame.yaw);
  return {q.x + frame.x, q.y + frame.y, q.z + frame.z};
}

}  // namespace surefoot
