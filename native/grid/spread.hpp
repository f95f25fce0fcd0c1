// Columns within some distance of others.
#pragma once

#include "grid/tiles.hpp"

namespace surefoot::grid {

// The columns at most `radius` away along x and along y, in the order of their ids.
std::vector<int32_t> spread(const Tiles& tiles, const std::vector<int32_t>& columns, int radius);

}  // namespace surefoot::grid
