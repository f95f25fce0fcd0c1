// A path mended where the world has changed under it (bandi2000, 8.3).
#pragma once

#include "grid/pathfinder.hpp"

namespace surefoot::grid {

struct Mended {
  CellPath path;               // from where one is to the end
  int32_t head = 0, tail = 0;  // cells of the old path that it starts and ends with
};

// Per move of a path: it cannot be made, or ends in a cell that is closed now. Cells may be -1.
std::vector<uint8_t> broken(const Moves& moves, std::span<const int32_t> cells,
                            std::span<const float> prices);

// Goes on along the old path from its cell `at` to the last one before the first break, from
// there by a new way to some cell behind the last break, and so to the end. The new way is the
// shortest by itself (the paper's) or makes the whole shortest. The path is not reached when no
// cell behind the break can be.
Mended reroute(Pathfinder& finder, std::span<const int32_t> cells, size_t at, bool nearest,
               const PathTask& task);

}  // namespace surefoot::grid
