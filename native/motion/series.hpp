// Even series of numbers over time: smoothing, rates of change, extremes around a moment.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace surefoot {

// Points over time with each coordinate contiguous: series s of count, moment i, at [s * n + i].
// Series come in threes: x, y and z of a point.
struct PointSeries {
  size_t n = 0;
  size_t points = 0;
  std::vector<double> values;

  PointSeries() = default;
  PointSeries(size_t moments, size_t count)
      : n(moments), points(count), values(3 * moments * count) {}

  double* at(size_t point, size_t axis) { return values.data() + (3 * point + axis) * n; }
  const double* at(size_t point, size_t axis) const {
    return values.data() + (3 * point + axis) * n;
  }
};

// From points (n, count, 3), row by row.
PointSeries transposed(const double* points, size_t n, size_t count);

// By a Gaussian of sigma [s], cut off at four sigma; ends are mirrored through themselves, so a
// straight line stays one.
PointSeries smoothed(const PointSeries& series, double rate, double sigma);

// By central differences, one-sided at the ends.
PointSeries velocities(const PointSeries& series, double rate);

// Lengths of the vectors of one point.
std::vector<double> lengths(const PointSeries& series, size_t point);

// The highest value within `reach` moments of each.
std::vector<double> highest_around(std::span<const double> values, size_t reach);

// The value at place floor((n - 1) * share) of the sorted values; reorders them.
double sorted_at(std::vector<double>& values, double share);

}  // namespace surefoot
