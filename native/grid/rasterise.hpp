// Triangles cut into the columns of a lattice (bandi2000, 3.2), exactly: what a column holds of a
// triangle is a convex polygon, whose lowest and highest points name the slices that it is in.
#pragma once

#include <limits>
#include <vector>

#include "geometry/triangles.hpp"
#include "grid/lattice.hpp"

namespace surefoot::grid {

// What one column holds of one triangle.
struct Piece {
  float low, high;       // [m] above the lattice's origin
  int32_t lo, hi;        // slices
  float area = 0;        // the share of the column's square that it offers to feet
  float upright = 1;     // the cosine of its slope
  float centre = kNone;  // [m] height under the column's centre, where it offers ground there
  // Going down through the column's centre: +1 into solid matter, -1 out of it.
  int8_t crossing = 0;

  static constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
};

struct Placed {
  int32_t i, j;  // column
  Piece piece;
};

// A triangle as feet and fillers see it.
struct Face {
  Triangle triangle;    // in numbers of cells and slices
  double upright = 0;   // cosine of the slope [m/m]
  bool ground = false;  // gentle enough to stand on
  bool solid = false;   // it bounds solid matter
};

void rasterise(const Face& face, const Lattice& lattice, std::vector<Placed>& out);

}  // namespace surefoot::grid
