#include "motion/lowering.hpp"

#include <algorithm>
#include <cmath>

namespace surefoot {
namespace {

constexpr double kCatching = 12, kSinking = 8;  // [m/s^2]
constexpr double kLate = 0.25;                  // [s]
constexpr double kPast = 0.5;                   // [s] that is remembered

// The upper envelope of parabolas that stand on every value, opening downward.
std::vector<double> dilated(const std::vector<double>& values, double bend) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double wide = std::ceil(std::sqrt(2 * (*high - *low) / bend));
  const auto count = static_cast<std::ptrdiff_t>(values.size());
  const auto most = std::min(static_cast<std::ptrdiff_t>(wide), count - 1);
  std::vector<double> result = values;
  for (std::ptrdiff_t shift = 1; shift <= most; ++shift) {
    const double drop = 0.5 * bend * static_cast<double>(shift * shift);
    for (std::ptrdiff_t i = 0; i + shift < count; ++i) {
      result[i + shift] = std::max(result[i + shift], values[i] - drop);
      result[i] = std::max(result[i], values[i + shift] - drop);
    }
  }
  return result;
}

void negate(std::vector<double>& values) {
  for (double& value : values) value = -value;
}

double smoother(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10 - 15 * x + 6 * x * x);
}

}  // namespace

std::vector<double> curve_over(std::span<const double> values, double step, double peaks,
                               double valleys) {
  const double square = step * step, inner = square * peaks * valleys / (peaks + valleys);
  std::vector<double> filled = dilated({values.begin(), values.end()}, inner);
  negate(filled);
  filled = dilated(filled, inner);
  negate(filled);
  filled = dilated(filled, peaks * square);
  for (size_t i = 0; i < values.size(); ++i) filled[i] = std::max(filled[i], values[i]);
  return filled;
}

double Lowering::at(double t) const {
  if (t <= times_.front()) return drops_.front();
  if (t >= times_.back()) return drops_.back();
  const auto after =
      static_cast<size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  const double a = times_[after - 1], b = times_[after];
  return drops_[after - 1] + (t - a) / (b - a) * (drops_[after] - drops_[after - 1]);
}

void Lowering::grow(std::span<const double> times, std::span<const double> needed) {
  const double step = times[1] - times[0];
  const bool known = !times_.empty();
  const size_t count = known ? static_cast<size_t>(std::ceil(kPast / step)) : 1;
  std::vector<double> all;
  for (size_t i = 0; i < count; ++i)
    all.push_back(known ? at(times[0] - step * static_cast<double>(count - i)) : needed[0]);
  all.insert(all.end(), needed.begin(), needed.end());
  std::vector<double> curve = curve_over(all, step, kCatching, kSinking);
  curve.erase(curve.begin(), curve.begin() + static_cast<std::ptrdiff_t>(count));
  if (known) {
    // What comes now could not be known before: it takes a moment to get there.
    const double missing = curve[0] - at(times[0]);
    for (size_t i = 0; i < curve.size(); ++i) {
      const double late = 1 - smoother((times[i] - times[0]) / kLate);
      curve[i] = std::max(curve[i] - late * missing, needed[i]);
    }
  }
  std::vector<double> kept_times, kept_drops;
  for (size_t i = 0; i < times_.size(); ++i)
    if (times_[i] > times[0] - 2 * kPast && times_[i] < times[0] - 1e-9) {
      kept_times.push_back(times_[i]);
      kept_drops.push_back(drops_[i]);
    }
  kept_times.insert(kept_times.end(), times.begin(), times.end());
  kept_drops.insert(kept_drops.end(), curve.begin(), curve.end());
  times_ = std::move(kept_times);
  drops_ = std::move(kept_drops);
}

}  // namespace surefoot
