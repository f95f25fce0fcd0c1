// Extended neighbours (bandi2000, 6.2 and 7.1.1): cells beyond the ones around.
#pragma once

#include "grid/moves.hpp"

namespace surefoot::grid {

// Columns up to `reach` away, the nearest first.
std::vector<Offset> offsets_within(int reach);

class LeapFinder {
 public:
  // Appends the leaps of a cell whose links, and those of all cells within reach, are there.
  void find(const Moves& moves, int32_t cell, std::vector<std::pair<int32_t, Leap>>& out);

 private:
  unsigned broken_sides(const Cell& from) const;
  void find_first_layer(const Cell& from, unsigned broken);
  bool walked_on_to(const Offset& offset, int32_t to) const;
  int leap(const Cell& from, const Cell& to, const Offset& offset) const;
  bool passes(const Cell& from, const Cell& to, const Offset& offset, int action) const;

  const Moves* moves_ = nullptr;
  ColumnPlace here_{};
  int32_t cell_ = -1;
  std::vector<std::pair<int32_t, Leap>>* out_ = nullptr;
  // Cells that are reached so far, grouped by offset.
  std::vector<int32_t> reached_, starts_;
};

}  // namespace surefoot::grid
