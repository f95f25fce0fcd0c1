#include "motion/foot_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace surefoot {
namespace {

constexpr double kPeakWindow = 0.45;  // [s] either way: a swing of the foot is in it
constexpr double kOtherFoot = 0.5;    // how much the other foot's speed counts for a foot's peak
constexpr double kNoiseAimed = 0.04;  // [m/s] of noise that smoothing aims at
constexpr double kFinest = 0.012, kCoarsest = 0.035, kWidest = 0.06;  // [s] of smoothing
constexpr double kWider = 1.6;       // how much more slow steps are smoothed where it is noisy
constexpr double kNoiseShare = 1.2;  // how much of the noise of speeds adds to what is still
constexpr double kNoisy = 0.2;       // share of the noise in that, above which it is noisy
constexpr double kMostly = 0.75;     // share of the time
constexpr double kRaised = 0.015;    // [m] of the whole foot, at least
constexpr double kHardly = 0.008;    // [m] likewise, above what trembles

// The noise [m/s] of the speed of a point that was smoothed by sigma [s].
double speed_noise(double noise, double rate, double sigma) {
  return noise * std::sqrt(3 / (rate * 4 * std::sqrt(std::numbers::pi) * sigma * sigma * sigma));
}

// The standard deviation of what jitters from moment to moment, from third differences: 30% of a
// normal distribution lie within 0.3853 deviations, and a third difference has 20 of one variance.
double noise_of(const PointSeries& points) {
  const size_t n = points.n;
  if (n < 8) return 0;
  Values third;
  third.reserve(3 * points.points * (n - 3));
  for (size_t s = 0; s < 3 * points.points; ++s) {
    const double* v = points.values.data() + s * n;
    for (size_t i = 3; i < n; ++i)
      third.push_back(std::abs(v[i] - 3 * v[i - 1] + 3 * v[i - 2] - v[i - 3]));
  }
  return sorted_at(third, 0.3) / 0.3853204664 / std::sqrt(20.0);
}

// Speeds of each part of each foot, by point.
std::vector<Values> speeds(const PointSeries& points, double rate) {
  const PointSeries velocity = velocities(points, rate);
  std::vector<Values> out;
  for (size_t p = 0; p < points.points; ++p) out.push_back(lengths(velocity, p));
  return out;
}

}  // namespace

Speeds speeds_of(const PointSeries& points, double rate, double scale, double still) {
  const double swift = std::sqrt(scale), aimed = kNoiseAimed * swift;
  Speeds out;
  out.noise = noise_of(points);
  out.sigma = std::clamp(
      std::cbrt(out.noise * out.noise / (rate * 4 * std::sqrt(std::numbers::pi) * aimed * aimed)),
      kFinest, kCoarsest);
  out.jitter = speed_noise(out.noise, rate, out.sigma);
  out.least = still * swift + kNoiseShare * out.jitter;
  out.points = smoothed(points, rate, out.sigma);
  out.speed = speeds(out.points, rate);
  return out;
}

bool mostly_at_rest(const Speeds& fine) {
  const size_t n = fine.points.n;
  size_t resting = 0;
  for (size_t i = 0; i < n; ++i)
    resting += std::any_of(fine.speed.begin(), fine.speed.end(),
                           [&](const Values& part) { return part[i] < fine.least; });
  return static_cast<double>(resting) >= kMostly * static_cast<double>(n);
}

Ratios ratios(const PointSeries& points, Speeds fine, std::span<const double> landing,
              std::span<const double> lifting, double rate, double scale, double still) {
  const size_t parts = landing.size();
  const size_t n = points.n;
  const double swift = std::sqrt(scale), least = fine.least;
  std::vector<Values>& speed = fine.speed;
  Ratios out;
  std::array<Values, 2> peak;
  for (size_t foot = 0; foot < 2; ++foot) {
    Values fastest(n, 0.0);
    for (size_t part = 0; part < parts; ++part)
      for (size_t i = 0; i < n; ++i)
        fastest[i] = std::max(fastest[i], speed[foot * parts + part][i]);
    peak[foot] = highest_around(fastest, static_cast<size_t>(std::lrint(kPeakWindow * rate)));
  }
  for (size_t i = 0; i < n; ++i) {
    const double left = peak[0][i], right = peak[1][i];
    peak[0][i] = std::max(left, kOtherFoot * right);
    peak[1][i] = std::max(right, kOtherFoot * left);
  }

  std::array<Values, 2> limit{Values(n, least), Values(n, least)};
  if (fine.jitter > kNoisy * least) {
    // Slow steps would drown in the noise; slowness gives time to smooth more.
    const double wide = std::min(kWider * fine.sigma, kWidest);
    const std::vector<Values> coarse = speeds(smoothed(points, rate, wide), rate);
    const double lower = still * swift + kNoiseShare * speed_noise(fine.noise, rate, wide);
    const double share = *std::min_element(landing.begin(), landing.end());
    for (size_t foot = 0; foot < 2; ++foot)
      for (size_t i = 0; i < n; ++i) {
        if (share * peak[foot][i] >= least) continue;
        limit[foot][i] = lower;
        for (size_t part = 0; part < parts; ++part)
          speed[foot * parts + part][i] = coarse[foot * parts + part][i];
      }
  }

  for (size_t foot = 0; foot < 2; ++foot)
    for (const bool lands : {true, false}) {
      Values& over = lands ? out.landing[foot] : out.lifting[foot];
      over.assign(n, std::numeric_limits<double>::infinity());
      for (size_t part = 0; part < parts; ++part) {
        const double share = (lands ? landing : lifting)[part];
        const Values& own = speed[foot * parts + part];
        for (size_t i = 0; i < n; ++i)
          over[i] = std::min(over[i], own[i] / std::max(share * peak[foot][i], limit[foot][i]));
      }
    }
  const double trembling =
      fine.noise * std::sqrt(1 / (rate * 2 * std::sqrt(std::numbers::pi) * fine.sigma));
  out.raised = std::max(kRaised * scale, kHardly * scale + 3.5 * trembling);
  out.sigma = fine.sigma;
  out.points = std::move(fine.points);
  return out;
}

}  // namespace surefoot
