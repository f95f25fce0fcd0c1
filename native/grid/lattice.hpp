// The regular cells that a world is cut into: squares seen from above, slices upward.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/vec.hpp"

namespace surefoot::grid {

// Reaching into a cell by less than this share of its size is touching it, not being in it:
// it absorbs the rounding of coordinates such as 0.1 * 3 that were meant to lie on a side.
inline constexpr double kTouch = 1e-7;

// Columns and slices farther out than this are not counted.
inline constexpr double kFarthest = 1 << 29;

// [m] A smaller cell or slice would be finer than the rounding of coordinates.
inline constexpr double kMinCell = 1e-6;

// Whole numbers below and above; for columns and slices, which fit. The library's own are calls.
inline int32_t floor_cell(double u) {
  const auto whole = static_cast<int32_t>(u);
  return whole - (u < whole);
}
inline int32_t ceil_cell(double u) {
  const auto whole = static_cast<int32_t>(u);
  return whole + (u > whole);
}

struct Lattice {
  double cell = 0.25;  // [m] side of a column, seen from above
  double rise = 0.05;  // [m] height of a slice
  Vec3 origin;         // a corner of cell (0, 0, 0) [m]

  // World coordinates as numbers of cells and slices.
  Vec3 to_cells(Vec3 p) const {
    return {snapped((p.x - origin.x) / cell), snapped((p.y - origin.y) / cell),
            snapped((p.z - origin.z) / rise)};
  }
  // [m] above the origin.
  double height(double levels) const { return levels * rise; }

 private:
  static double snapped(double u) {
    if (!(std::abs(u) < 1e9)) return u;  // too far out to be cut; refused elsewhere
    const double whole = floor_cell(u + 0.5);
    return std::abs(u - whole) < kTouch ? whole : u;
  }
};

struct CellRange {
  int32_t first, last;
};

// The cells along one axis that an extent reaches into. A face without extent along the axis, on
// the side between two cells, is in the one behind it: a wall that ends there fills its own cell
// and leaves the next one free.
inline CellRange cells_of(double low, double high, double facing) {
  if (high - low > 2 * kTouch) return {floor_cell(low + kTouch), ceil_cell(high - kTouch) - 1};
  const double middle = (low + high) / 2;
  const int side = floor_cell(middle + 0.5);
  int cell = floor_cell(middle);
  if (std::abs(middle - side) <= 2 * kTouch) cell = side - (facing > 0 ? 1 : 0);
  return {cell, cell};
}

}  // namespace surefoot::grid
