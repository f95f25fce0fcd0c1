#include "grid/leaps.hpp"

#include <algorithm>
#include <cmath>

namespace surefoot::grid {
namespace {

// All columns that the line between the centres of (0, 0) and (i, j) passes, without the two
// themselves; where it goes through a corner, both columns beside it.
std::vector<Direction> passed(int i, int j) {
  std::vector<Direction> out;
  const int wide = std::abs(i), deep = std::abs(j), right = i < 0 ? -1 : 1, up = j < 0 ? -1 : 1;
  int x = 0, y = 0;
  while (x < wide || y < deep) {
    const int ahead = (1 + 2 * x) * deep - (1 + 2 * y) * wide;
    if (ahead == 0) {
      out.push_back({(x + 1) * right, y * up});
      out.push_back({x * right, (y + 1) * up});
      ++x, ++y;
    } else if (ahead < 0) {
      ++x;
    } else {
      ++y;
    }
    if (x < wide || y < deep) out.push_back({x * right, y * up});
  }
  return out;
}

}  // namespace

std::vector<Offset> offsets_within(int reach) {
  std::vector<Offset> out;
  const int side = 2 * reach + 1;
  std::vector<int> index(static_cast<size_t>(side) * side, -1);
  const auto at = [&](int i, int j) -> int& { return index[(j + reach) * side + i + reach]; };
  for (int ring = 1; ring <= reach; ++ring)
    for (int j = -ring; j <= ring; ++j)
      for (int i = -ring; i <= ring; ++i) {
        if (std::max(std::abs(i), std::abs(j)) != ring) continue;
        const auto along = [ring](int whole, int step) {
          return static_cast<int>(std::lround(static_cast<double>(whole) * step / ring));
        };
        const int x = along(i, ring - 1), y = along(j, ring - 1);
        at(i, j) = static_cast<int>(out.size());
        out.push_back({i, j, direction(along(i, 1), along(j, 1)), ring == 1 ? -1 : at(x, y),
                       direction(i - x, j - y), passed(i, j)});
      }
  return out;
}

void LeapFinder::find(const Moves& moves, int32_t cell,
                      std::vector<std::pair<int32_t, Leap>>& out) {
  if (moves.links_[cell].fits == 0) return;
  moves_ = &moves;
  cell_ = cell;
  out_ = &out;
  const Voxels& voxels = moves.voxels();
  const Cell& from = voxels.cells()[cell];
  const unsigned broken = broken_sides(from);
  if (broken == 0) return;
  here_ = voxels.tiles().place(from.column);
  if (moves.settings_.first_layer) {
    find_first_layer(from, broken);
    return;
  }
  const std::vector<Offset>& offsets = moves.offsets_;
  reached_.clear();
  starts_.assign(offsets.size() + 1, 0);
  for (size_t o = 0; o < offsets.size(); ++o) {
    const Offset& offset = offsets[o];
    starts_[o] = static_cast<int32_t>(reached_.size());
    if (o < 8) {
      const int d = direction(offset.i, offset.j);
      if (moves.links_[cell].to[d] >= 0) reached_.push_back(moves.links_[cell].to[d]);
      for (const Leap& leap : moves.out_[cell])
        if (leap.i == offset.i && leap.j == offset.j) reached_.push_back(leap.cell);
      continue;
    }
    if (!(broken >> offset.first & 1)) continue;
    const int32_t column = voxels.tiles().find(here_.i + offset.i, here_.j + offset.j);
    for (const Cell& to : voxels.column(column)) {
      const int32_t row = moves.row(to);
      if (!(moves.links_[cell].fits & moves.links_[row].fits)) continue;
      if (!walked_on_to(offset, row)) {
        const int action = leap(from, to, offset);
        if (action < 0) continue;
        out.push_back({cell,
                       {row, static_cast<int16_t>(offset.i), static_cast<int16_t>(offset.j),
                        static_cast<uint8_t>(action)}});
      }
      reached_.push_back(row);
    }
  }
}

// Directions in which there is no cell to go to, or one that lies much higher or lower: from
// there a farther one may be reached that cannot be reached from the next (bandi2000, Fig. 11).
unsigned LeapFinder::broken_sides(const Cell& from) const {
  const Links& links = moves_->links_[cell_];
  unsigned broken = 0;
  for (int d = 0; d < 8; ++d) {
    const int32_t to = links.to[d];
    if (to < 0) {
      broken |= 1u << d;
    } else if (!moves_->settings_.first_layer) {
      const float rise = std::abs(moves_->voxels().cells()[to].top - from.top);
      broken |= (rise > moves_->ledge_ ? 1u : 0u) << d;
    }
  }
  return broken;
}

// Straight on in each direction up to the first column with a cell that can be reached.
void LeapFinder::find_first_layer(const Cell& from, unsigned broken) {
  const Voxels& voxels = moves_->voxels();
  for (const Offset& offset : moves_->offsets_) {
    if (std::max(std::abs(offset.i), std::abs(offset.j)) < 2 || !(broken >> offset.first & 1))
      continue;
    if (offset.i != 0 && offset.j != 0 && std::abs(offset.i) != std::abs(offset.j)) continue;
    const int32_t column = voxels.tiles().find(here_.i + offset.i, here_.j + offset.j);
    for (const Cell& to : voxels.column(column)) {
      const int action = leap(from, to, offset);
      if (action < 0) continue;
      out_->push_back({cell_,
                       {moves_->row(to), static_cast<int16_t>(offset.i),
                        static_cast<int16_t>(offset.j), static_cast<uint8_t>(action)}});
      broken &= ~(1u << offset.first);
    }
  }
}

// One gets there by going to the column before and straight on: no leap is needed.
bool LeapFinder::walked_on_to(const Offset& offset, int32_t to) const {
  const int32_t end = starts_[offset.previous + 1];
  for (int32_t k = starts_[offset.previous]; k < end; ++k) {
    const int32_t before = reached_[k];
    if (moves_->links_[before].to[offset.last] == to) return true;
    for (const Leap& leap : moves_->out_[before])
      if (leap.cell == to && std::abs(leap.i) <= 1 && std::abs(leap.j) <= 1) return true;
  }
  return false;
}

int LeapFinder::leap(const Cell& from, const Cell& to, const Offset& offset) const {
  const unsigned actions = moves_->steps(cell_, moves_->row(to));
  if (actions == 0) return -1;
  for (const int action : moves_->order_)
    if ((actions >> action & 1) && moves_->limits_[action].spans(offset.i, offset.j) &&
        passes(from, to, offset, action))
      return action;
  return -1;
}

// Room for the body in all columns in between, above what it passes over.
bool LeapFinder::passes(const Cell& from, const Cell& to, const Offset& offset, int action) const {
  const Moves::Limits& limits = moves_->limits_[action];
  const Voxels& voxels = moves_->voxels();
  const float high = std::max(from.top, to.top), low = std::min(from.top, to.top);
  for (const Direction& step : offset.between) {
    float passed = high;
    bool floor = false;
    const int32_t column = voxels.tiles().find(here_.i + step.i, here_.j + step.j);
    for (const Cell& cell : voxels.column(column)) {
      if (cell.top > high + limits.lift) {
        if (cell.bottom < passed + limits.height) return false;
        break;
      }
      // Nobody climbs over what is forbidden either (bandi2000, Fig. 14); deep below it is no
      // obstacle.
      if (cell.forbidden && cell.top > low - limits.up) return false;
      passed = std::max(passed, cell.top);
      floor |= cell.top >= low - limits.down;
    }
    if (!floor && !limits.gaps) return false;
  }
  return true;
}

}  // namespace surefoot::grid
