#include "motion/moving_floor.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace surefoot {
namespace {

constexpr double kBlur = 0.025;        // [s]
constexpr double kRising = 0.15;       // [m/s] up or down
constexpr double kLevel = 0.002;       // [m] that heights of a foot at rest may differ
constexpr double kChanging = 3.0;      // [m/s^2]
constexpr double kRadius = 0.18;       // [m/s] within which velocities agree
constexpr double kAtRest = 0.8;        // share of steady feet at rest on a floor that rests
constexpr double kAgreeing = 0.6;      // share of steady feet that a moving floor must explain
constexpr double kFewest = 0.03;       // share of moments with steady feet to say anything
constexpr double kWindow = 0.4;        // [s]
constexpr double kNodeSpacing = 0.25;  // [s]

struct Steady {
  std::vector<double> frame, x, y;
  size_t size() const { return frame.size(); }
};

// Feet that neither rise, fall nor change their velocity, in the lower half of their heights.
Steady steady_feet(const PointSeries& points, double rate, double swift) {
  const PointSeries places = smoothed(points, rate, kBlur);
  const PointSeries speed = velocities(places, rate);
  const PointSeries change = velocities(speed, rate);
  const size_t n = points.n;
  std::vector<uint8_t> steady(n * points.points);
  std::vector<double> heights(n);
  for (size_t p = 0; p < points.points; ++p) {
    const double* z = places.at(p, 2);
    std::copy(z, z + n, heights.begin());
    const double middle = sorted_at(heights, 0.5) + kLevel;
    const double *up = speed.at(p, 2), *ax = change.at(p, 0), *ay = change.at(p, 1);
    for (size_t i = 0; i < n; ++i)
      steady[i * points.points + p] = z[i] < middle && std::abs(up[i]) < kRising * swift &&
                                      std::hypot(ax[i], ay[i]) < kChanging;
  }
  Steady out;
  for (size_t i = 0; i < n; ++i)
    for (size_t p = 0; p < points.points; ++p)
      if (steady[i * points.points + p]) {
        out.frame.push_back(static_cast<double>(i));
        out.x.push_back(speed.at(p, 0)[i]);
        out.y.push_back(speed.at(p, 1)[i]);
      }
  return out;
}

double weighted_median(const std::vector<double>& values, const std::vector<double>& weights) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return values[a] < values[b]; });
  const double half = std::accumulate(weights.begin(), weights.end(), 0.0) / 2;
  double total = 0;
  for (const size_t i : order) {
    total += weights[i];
    if (total >= half) return values[i];
  }
  return values[order.back()];
}

// The commonest velocity around a frame, by mean shift from the median.
std::pair<double, double> mode_near(double frame, const Steady& steady, double rate,
                                    double radius) {
  double nearest = std::abs(steady.frame[0] - frame);
  for (const double at : steady.frame) nearest = std::min(nearest, std::abs(at - frame));
  double width = kWindow;
  while (nearest / rate >= 2.5 * width) width *= 2;
  std::vector<double> x, y, weights;
  for (size_t i = 0; i < steady.size(); ++i) {
    const double away = std::abs(steady.frame[i] - frame) / rate;
    if (away >= 2.5 * width) continue;
    x.push_back(steady.x[i]);
    y.push_back(steady.y[i]);
    weights.push_back(std::exp(-0.5 * (away / width) * (away / width)));
  }
  double u = weighted_median(x, weights), v = weighted_median(y, weights);
  for (const double size : {2 * radius, 2 * radius, radius, radius, radius}) {
    double total = 0, su = 0, sv = 0;
    for (size_t i = 0; i < x.size(); ++i)
      if (std::hypot(x[i] - u, y[i] - v) < size) {
        total += weights[i];
        su += weights[i] * x[i];
        sv += weights[i] * y[i];
      }
    if (total > 0) u = su / total, v = sv / total;
  }
  return {u, v};
}

// Between nodes that lie evenly over all moments.
void interpolate(const std::vector<std::pair<double, double>>& nodes, std::vector<double>& out) {
  const size_t n = out.size() / 2;
  const double spacing = static_cast<double>(n - 1) / static_cast<double>(nodes.size() - 1);
  for (size_t i = 0; i < n; ++i) {
    const double at = static_cast<double>(i) / spacing;
    const size_t k = std::min(static_cast<size_t>(at), nodes.size() - 2);
    const double part = at - static_cast<double>(k);
    out[2 * i] = (1 - part) * nodes[k].first + part * nodes[k + 1].first;
    out[2 * i + 1] = (1 - part) * nodes[k].second + part * nodes[k + 1].second;
  }
}

// Whether a floor that moves like this explains the feet, and the body stays about where it is.
bool explains(const std::vector<double>& belt, const Steady& steady, const PointSeries& points,
              double rate, double scale, double radius) {
  size_t close = 0;
  for (size_t i = 0; i < steady.size(); ++i) {
    const auto at = static_cast<size_t>(steady.frame[i]);
    close += std::hypot(steady.x[i] - belt[2 * at], steady.y[i] - belt[2 * at + 1]) < radius;
  }
  double x = 0, y = 0, mean = 0;
  for (size_t p = 0; p < points.points; ++p) {
    x += points.at(p, 0)[points.n - 1] - points.at(p, 0)[0];
    y += points.at(p, 1)[points.n - 1] - points.at(p, 1)[0];
  }
  for (size_t i = 0; i < points.n; ++i) mean += std::hypot(belt[2 * i], belt[2 * i + 1]);
  const double gone = std::hypot(x, y) / static_cast<double>(points.points);
  const double carried =
      mean / static_cast<double>(points.n) * static_cast<double>(points.n - 1) / rate;
  return static_cast<double>(close) >= kAgreeing * static_cast<double>(steady.size()) &&
         gone <= 0.6 * carried + 0.5 * scale;
}

}  // namespace

std::vector<double> floor_velocity(const PointSeries& points, double rate, double scale,
                                   Floor floor) {
  const size_t n = points.n;
  if (floor == Floor::still || n < 8) return {};
  const double swift = std::sqrt(scale), radius = kRadius * swift;
  const Steady steady = steady_feet(points, rate, swift);
  if (steady.size() == 0) return {};
  if (floor == Floor::automatic) {
    size_t resting = 0;
    for (size_t i = 0; i < steady.size(); ++i)
      resting += std::hypot(steady.x[i], steady.y[i]) < radius;
    if (static_cast<double>(steady.size()) < kFewest * static_cast<double>(n * points.points) ||
        static_cast<double>(resting) > kAtRest * static_cast<double>(steady.size()))
      return {};
  }
  const auto spans = static_cast<size_t>(static_cast<double>(n) / rate / kNodeSpacing);
  const size_t count = std::max<size_t>(2, spans + 1);
  std::vector<std::pair<double, double>> nodes;
  for (size_t k = 0; k < count; ++k) {
    const double frame =
        static_cast<double>(n - 1) * static_cast<double>(k) / static_cast<double>(count - 1);
    nodes.push_back(mode_near(frame, steady, rate, radius));
  }
  std::vector<double> belt(2 * n);
  interpolate(nodes, belt);
  if (floor == Floor::automatic && !explains(belt, steady, points, rate, scale, radius)) return {};
  return belt;
}

}  // namespace surefoot
