#include "motion/series.hpp"

#include <algorithm>
#include <cmath>

namespace surefoot {

PointSeries transposed(const double* points, size_t n, size_t count) {
  PointSeries out(n, count);
  const size_t columns = 3 * count;
  for (size_t i = 0; i < n; ++i)
    for (size_t c = 0; c < columns; ++c) out.values[c * n + i] = points[i * columns + c];
  return out;
}

PointSeries smoothed(const PointSeries& series, double rate, double sigma) {
  const size_t n = series.n;
  PointSeries out(n, series.points);
  const size_t reach = std::min(static_cast<size_t>(std::ceil(4 * sigma * rate)), n - 1);
  std::vector<double> weights(reach + 1);
  double total = 0;
  for (size_t k = 0; k <= reach; ++k) {
    const double away = static_cast<double>(k) / (rate * sigma);
    weights[k] = std::exp(-0.5 * away * away);
    total += k == 0 ? weights[k] : 2 * weights[k];
  }
  for (double& weight : weights) weight /= total;
  std::vector<double> padded(n + 2 * reach);
  for (size_t s = 0; s < 3 * series.points; ++s) {
    const double* in = series.values.data() + s * n;
    double* to = out.values.data() + s * n;
    for (size_t k = 1; k <= reach; ++k) {
      padded[reach - k] = 2 * in[0] - in[k];
      padded[reach + n - 1 + k] = 2 * in[n - 1] - in[n - 1 - k];
    }
    std::copy(in, in + n, padded.begin() + static_cast<ptrdiff_t>(reach));
    const double* middle = padded.data() + reach;
    for (size_t i = 0; i < n; ++i) to[i] = weights[0] * middle[i];
    for (size_t k = 1; k <= reach; ++k) {
      const double weight = weights[k];
      const double *before = middle - k, *after = middle + k;
      for (size_t i = 0; i < n; ++i) to[i] += weight * (before[i] + after[i]);
    }
  }
  return out;
}

PointSeries velocities(const PointSeries& series, double rate) {
  const size_t n = series.n;
  PointSeries out(n, series.points);
  if (n < 2) return out;
  for (size_t s = 0; s < 3 * series.points; ++s) {
    const double* in = series.values.data() + s * n;
    double* to = out.values.data() + s * n;
    to[0] = (in[1] - in[0]) * rate;
    to[n - 1] = (in[n - 1] - in[n - 2]) * rate;
    for (size_t i = 1; i + 1 < n; ++i) to[i] = (in[i + 1] - in[i - 1]) * (rate / 2);
  }
  return out;
}

std::vector<double> lengths(const PointSeries& series, size_t point) {
  std::vector<double> out(series.n);
  const double *x = series.at(point, 0), *y = series.at(point, 1), *z = series.at(point, 2);
  for (size_t i = 0; i < series.n; ++i) out[i] = std::sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
  return out;
}

std::vector<double> highest_around(std::span<const double> values, size_t reach) {
  const size_t n = values.size();
  std::vector<double> out(n);
  // Places whose values fall from the front on; the front is the highest of the window.
  std::vector<size_t> falling(n);
  size_t front = 0, back = 0, next = 0;
  for (size_t i = 0; i < n; ++i) {
    for (; next < n && next <= i + reach; ++next) {
      while (back > front && values[falling[back - 1]] <= values[next]) --back;
      falling[back++] = next;
    }
    while (falling[front] + reach < i) ++front;
    out[i] = values[falling[front]];
  }
  return out;
}

double sorted_at(std::vector<double>& values, double share) {
  const auto place = static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<size_t>(place)];
}

}  // namespace surefoot
