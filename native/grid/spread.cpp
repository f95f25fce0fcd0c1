#include "grid/spread.hpp"

#include <algorithm>
#include <cstdlib>

namespace surefoot::grid {
namespace {

struct Stretch {
  int32_t row, from, to;
};

// Joins stretches of the same row that overlap or touch.
void merge(std::vector<Stretch>& stretches) {
  std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
    return a.row != b.row ? a.row < b.row : a.from < b.from;
  });
  size_t kept = 0;
  for (const Stretch& s : stretches) {
    if (kept > 0 && stretches[kept - 1].row == s.row && s.from <= stretches[kept - 1].to + 1)
      stretches[kept - 1].to = std::max(stretches[kept - 1].to, s.to);
    else
      stretches[kept++] = s;
  }
  stretches.resize(kept);
}

}  // namespace

std::vector<int32_t> spread(const Tiles& tiles, const std::vector<int32_t>& columns, int radius) {
  // Along x first, so that few stretches are left to copy along y.
  std::vector<Stretch> wide;
  wide.reserve(columns.size());
  for (const int32_t column : columns) {
    const ColumnPlace at = tiles.place(column);
    wide.push_back({at.j, at.i - radius, at.i + radius});
  }
  merge(wide);
  std::vector<Stretch> all;
  all.reserve(wide.size() * (2 * radius + 1));
  for (const Stretch& s : wide)
    for (int32_t row = s.row - radius; row <= s.row + radius; ++row)
      all.push_back({row, s.from, s.to});
  merge(all);
  std::vector<int32_t> out;
  for (const Stretch& s : all)
    for (int32_t i = s.from; i <= s.to; ++i) {
      const int32_t column = tiles.find(i, s.row);
      if (column >= 0) out.push_back(column);
    }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace surefoot::grid
