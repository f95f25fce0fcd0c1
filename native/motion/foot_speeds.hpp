// How fast the parts of feet move, against what counts as fast there.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "motion/series.hpp"

namespace surefoot {

using Values = std::vector<double>;

// The speed of each part, smoothed no more than its noise asks for.
struct Speeds {
  double noise, sigma, jitter;  // [m], [s] of smoothing, [m/s] of noise that it leaves
  double least;                 // [m/s] below which a part is at rest
  PointSeries points;           // smoothed
  std::vector<Values> speed;    // by point
};

Speeds speeds_of(const PointSeries& points, double rate, double scale, double still);

// Whether some part is at rest most of the time, so that the floor must be.
bool mostly_at_rest(const Speeds& fine);

// Over 1 a foot has not landed, or has lifted.
struct Ratios {
  PointSeries points;             // smoothed
  std::array<Values, 2> landing;  // of each foot: its slowest part's speed over the limit
  std::array<Values, 2> lifting;
  double raised;  // [m]: what is more is no noise
  double sigma;   // [s] of smoothing
};

// `landing` and `lifting` are shares of the highest speed nearby, for each part of a foot; `still`
// [m/s] is what is slow in any case.
Ratios ratios(const PointSeries& points, Speeds fine, std::span<const double> landing,
              std::span<const double> lifting, double rate, double scale, double still);

}  // namespace surefoot
