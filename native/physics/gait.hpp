// A step controller's targets (coros2009 section 5): for each stance a Catmull-Rom spline for each
// channel, and how the swing foot answers to the body's motion.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace surefoot::physics {

inline constexpr int kKnots = 5;

// How the swing hip's target moves with the body: place * d + speed * (v - wanted).
struct Feedback {
  double place = 0;   // [rad/m] with d, the centre of mass beyond the stance ankle
  double speed = 0;   // [rad s/m]
  double wanted = 0;  // [m/s]
};

struct Gait {
  double step_time = 0.4;    // [s] over which the splines run
  double turn = 0;           // [rad] to the left in each step
  double hold = 1;           // share of the stance hip's torque that stays in flight
  double takeover = 0;       // [N] that make the swing foot the one that stands; 0: none do
  Feedback ahead, sideways;  // sideways: to the body's left
  // [stance][channel * kKnots + knot], in the body's own left and right.
  std::array<std::vector<double>, 2> knots;
};

// A uniform Catmull-Rom spline through the knots; phase 0 to 1, held at its ends.
inline double spline(const double* knots, double phase) {
  const double at = std::clamp(phase, 0.0, 1.0) * (kKnots - 1);
  const int i = std::min(static_cast<int>(at), kKnots - 2);
  const double t = at - i;
  const double p1 = knots[i], p2 = knots[i + 1];
  const double p0 = i > 0 ? knots[i - 1] : p1;
  const double p3 = i + 2 < kKnots ? knots[i + 2] : p2;
  return p1 +
         0.5 * t * (p2 - p0 + t * (2 * p0 - 5 * p1 + 4 * p2 - p3 + t * (3 * (p1 - p2) + p3 - p0)));
}

}  // namespace surefoot::physics
