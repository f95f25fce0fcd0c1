// What stands in one column: runs of occupied slices, each with a surface cell on top
// (bandi2000, 3.5).
#pragma once

#include <limits>
#include <span>

#include "grid/rasterise.hpp"

namespace surefoot::grid {

// A run of occupied slices, and the surface cell that its highest slice is.
struct Cell {
  int32_t column = -1;  // -1: this row holds no cell
  int32_t lo = 0, hi = 0;
  float bottom = 0, top = 0;  // lowest and highest point [m] above the lattice's origin
  float ground = 0;           // where a foot would stand: under the centre, or the highest ground
  float headroom = 0;         // from the top to what is above [m]
  float weight = 0;           // the share of the column's square that offers ground near the top
  float upright = 1;          // the cosine of that ground's slope, averaged over its area
  int32_t body = -1;          // whose ground it is, or whose top
  bool forbidden = false;
};

// Slices that surfaces of one body are in, without an empty one in between.
struct Run {
  int32_t lo, hi;
  float low, high;
  int32_t crossings;  // at the column's centre, into solid matter less out of it
};

// What of one body can be stood on in one height.
struct Ground {
  int32_t level;
  float high, centre, area, upright;
};

// One body in the column.
struct Part {
  int32_t body;
  bool solid, forbidden;
  std::span<const Run> runs;
  std::span<const Ground> grounds;
};

// Merges the pieces of one body in one column; appends runs from the lowest up.
void merge_pieces(std::span<const Piece> pieces, std::vector<Run>& runs,
                  std::vector<Ground>& grounds);

// Merges the parts of a column, which must come in the order of their bodies, and appends the
// cells from the lowest up. Ground counts when it is at most `relief` [m] below the top of its
// run.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(float relief) : relief_(relief) {}
  void build(int32_t column, std::span<const Part> parts, std::vector<Cell>& out);

 private:
  void add_solid(const Part& part);
  void finish(Cell& cell, std::span<const Part> parts) const;

  float relief_;
  std::vector<Run> runs_;
};

}  // namespace surefoot::grid
