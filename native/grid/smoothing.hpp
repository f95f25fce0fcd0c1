// Paths made straight where that stays on cells that can be walked (bandi2000, 7.4).
#pragma once

#include "grid/pathfinder.hpp"

namespace surefoot::grid {

class Smoother {
 public:
  // Closed cells (of infinite price) are not crossed, and what is straight never costs more.
  Smoother(const Moves& moves, std::span<const float> prices);

  // The straight line between two cells' centres stays on cells joined by moves of one action:
  // every cell that it passes, and at corners both beside it.
  bool sees(int32_t from, int32_t to, int action) const;
  // What that line costs, infinite where it is not there.
  double sight(int32_t from, int32_t to, int action) const;
  // How many columns one cell lies from another.
  Direction between(int32_t from, int32_t to) const;
  // The paper's way: straight lines of cells between the cells where the path turns.
  CellPath straightened(const CellPath& path) const;
  // Positions in the path of cells that see each other one after the other: all cells are tried.
  std::vector<int32_t> corners(const CellPath& path) const;

 private:
  static constexpr float kClosed = std::numeric_limits<float>::infinity();

  void check(const CellPath& path) const;
  double line(int32_t from, int32_t to, int action, std::vector<int32_t>& cells) const;
  std::vector<double> costs_along(const CellPath& path) const;
  bool closed(int32_t cell) const { return !prices_.empty() && prices_[cell] == kClosed; }
  // Only the ends of a path are closed; they cost as if they were not.
  double price(int32_t cell) const { return prices_.empty() || closed(cell) ? 1 : prices_[cell]; }
  // The cell to which an action leads from another, or -1; not a closed one but for the end.
  int32_t follow(int32_t cell, int direction, int action, int32_t end) const {
    const Links& links = moves_.links(cell);
    const int32_t to = links.to[direction];
    return to >= 0 && links.action(direction) == action && (to == end || !closed(to)) ? to : -1;
  }
  // The last move of the stretch that starts with a move: moves between neighbours by one action.
  size_t stretch(const CellPath& path, size_t first) const;

  const Moves& moves_;
  std::span<const float> prices_;
};

}  // namespace surefoot::grid
