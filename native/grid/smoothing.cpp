#include "grid/smoothing.hpp"

#include <cmath>

namespace surefoot::grid {
namespace {

constexpr double kRounding = 1e-9;

}  // namespace

Smoother::Smoother(const Moves& moves, std::span<const float> prices)
    : moves_(moves), prices_(prices) {
  require<GridError>(prices.empty() || prices.size() >= moves.rows(), "there are ", prices.size(),
                     " prices for ", moves.rows(), " rows of cells");
}

void Smoother::check(const CellPath& path) const {
  const size_t moved = path.cells.empty() ? 0 : path.cells.size() - 1;
  check_count<GridError>(path.actions.size(), "actions", moved, "a path of these cells");
  for (const int32_t cell : path.cells) check_cell(moves_, cell, "cell");
}

Direction Smoother::between(int32_t from, int32_t to) const {
  const ColumnPlace &a = moves_.links(from).place, &b = moves_.links(to).place;
  return {b.i - a.i, b.j - a.j};
}

bool Smoother::sees(int32_t from, int32_t to, int action) const {
  return sight(from, to, action) < kInfinity;
}

// Walks over all cells under the line. The cost weighs each part of it with its cell's price.
double Smoother::sight(int32_t from, int32_t to, int action) const {
  const Direction way = between(from, to);
  const int64_t wide = std::abs(way.i), deep = std::abs(way.j);
  const int right = way.i < 0 ? 2 : 0, up = way.j < 0 ? 3 : 1;
  const int across = direction(way.i < 0 ? -1 : 1, way.j < 0 ? -1 : 1);
  int64_t x = 0, y = 0, ahead = deep - wide;  // > 0: the line leaves the cell above before beside
  int32_t cell = from;
  // The line is priced in pieces of one price each.
  double cost = 0, before = 0, rate = price(from);
  while (x < wide || y < deep) {
    int32_t next;
    const bool beside = ahead <= 0, above = ahead >= 0;
    if (beside && above) {
      if (follow(cell, right, action, to) < 0 || follow(cell, up, action, to) < 0) return kInfinity;
      next = follow(cell, across, action, to);
    } else {
      next = follow(cell, beside ? right : up, action, to);
    }
    if (next < 0) return kInfinity;
    if (const double there = price(next); there != rate) {
      const double share = beside ? (static_cast<double>(x) + 0.5) / static_cast<double>(wide)
                                  : (static_cast<double>(y) + 0.5) / static_cast<double>(deep);
      cost += (share - before) * rate;
      before = share;
      rate = there;
    }
    if (beside) ++x, ahead += 2 * deep;
    if (above) ++y, ahead -= 2 * wide;
    cell = next;
  }
  if (cell != to) return kInfinity;
  const double length =
      std::sqrt(static_cast<double>(wide * wide + deep * deep)) * moves_.voxels().lattice().cell;
  cost = (cost + (1 - before) * rate) * length;
  // Heights count as they do between cells.
  const double rise = moves_.ground(to) - moves_.ground(from);
  return rise == 0 ? cost : std::sqrt(cost * cost + rise * rise);
}

// The cells of a digital straight line (DDA), one for each step along the longer axis.
double Smoother::line(int32_t from, int32_t to, int action, std::vector<int32_t>& cells) const {
  const Direction way = between(from, to);
  const int steps = std::max(std::abs(way.i), std::abs(way.j));
  const Distance distance(Metric::kEuclidean, 8, moves_.voxels().lattice().cell, false);
  cells.assign(1, from);
  double cost = 0;
  int i = 0, j = 0;
  for (int k = 1; k <= steps; ++k) {
    const int x = static_cast<int>(std::lround(static_cast<double>(way.i) * k / steps));
    const int y = static_cast<int>(std::lround(static_cast<double>(way.j) * k / steps));
    const int32_t last = cells.back(), next = follow(last, direction(x - i, y - j), action, to);
    if (next < 0) return kInfinity;
    cost += static_cast<double>(distance.move(std::abs(x - i), std::abs(y - j),
                                              moves_.ground(next) - moves_.ground(last), 1)) /
            distance.unit() * (price(last) + price(next)) / 2;
    cells.push_back(next);
    i = x, j = y;
  }
  return cells.back() == to ? cost : kInfinity;
}

size_t Smoother::stretch(const CellPath& path, size_t first) const {
  const auto near = [&](size_t move) {
    const Direction way = between(path.cells[move], path.cells[move + 1]);
    return std::max(std::abs(way.i), std::abs(way.j)) == 1;
  };
  if (!near(first)) return first;
  size_t last = first;
  while (last + 1 < path.actions.size() && path.actions[last + 1] == path.actions[first] &&
         near(last + 1))
    ++last;
  return last;
}

// Lengths times prices from the start to each cell of the path.
std::vector<double> Smoother::costs_along(const CellPath& path) const {
  const Distance distance(Metric::kEuclidean, 8, moves_.voxels().lattice().cell, false);
  std::vector<double> costs(path.cells.size(), 0);
  for (size_t k = 0; k + 1 < path.cells.size(); ++k) {
    const int32_t from = path.cells[k], to = path.cells[k + 1];
    const Direction way = between(from, to);
    const double length =
        static_cast<double>(distance.move(std::abs(way.i), std::abs(way.j),
                                          moves_.ground(to) - moves_.ground(from), 1)) /
        distance.unit();
    costs[k + 1] = costs[k] + length * (price(from) + price(to)) / 2;
  }
  return costs;
}

CellPath Smoother::straightened(const CellPath& path) const {
  check(path);
  CellPath out = path;
  if (path.cells.empty()) return out;
  out.cells.assign(1, path.cells[0]);
  out.actions.clear();
  const std::vector<double> costs = costs_along(path);
  std::vector<int32_t> cells, best;
  for (size_t first = 0; first < path.actions.size();) {
    const size_t last = stretch(path, first);
    const uint8_t action = path.actions[first];
    // Where it turns, and its two ends.
    std::vector<size_t> junctions{first};
    for (size_t move = first + 1; move <= last; ++move) {
      const Direction a = between(path.cells[move - 1], path.cells[move]);
      const Direction b = between(path.cells[move], path.cells[move + 1]);
      if (a.i != b.i || a.j != b.j) junctions.push_back(move);
    }
    junctions.push_back(last + 1);
    for (size_t at = 0; at + 1 < junctions.size();) {
      size_t next = at + 1;
      best.assign(path.cells.begin() + junctions[at], path.cells.begin() + junctions[next] + 1);
      for (size_t far = junctions.size() - 1; far > at + 1; --far) {
        const size_t from = junctions[at], to = junctions[far];
        const double cost = line(path.cells[from], path.cells[to], action, cells);
        if (!(cost <= costs[to] - costs[from] + kRounding)) continue;
        next = far;
        best = cells;
        break;
      }
      out.cells.insert(out.cells.end(), best.begin() + 1, best.end());
      out.actions.insert(out.actions.end(), best.size() - 1, action);
      at = next;
    }
    first = last + 1;
  }
  return out;
}

std::vector<int32_t> Smoother::corners(const CellPath& path) const {
  check(path);
  std::vector<int32_t> out;
  if (path.cells.empty()) return out;
  out.push_back(0);
  const std::vector<double> costs = costs_along(path);
  for (size_t first = 0; first < path.actions.size();) {
    const size_t end = stretch(path, first) + 1;
    const uint8_t action = path.actions[first];
    for (size_t at = first; at < end;) {
      const auto visible = [&](size_t to) {
        return sight(path.cells[at], path.cells[to], action) <= costs[to] - costs[at] + kRounding;
      };
      // Gallop ahead, then close in.
      size_t good = at + 1, bad = end + 1;
      for (size_t step = 2; at + step <= end && bad > end; step *= 2)
        (visible(at + step) ? good : bad) = at + step;
      if (bad > end && good < end) (visible(end) ? good : bad) = end;
      while (bad <= end && bad > good + 1) {
        const size_t middle = (good + bad) / 2;
        (visible(middle) ? good : bad) = middle;
      }
      out.push_back(static_cast<int32_t>(good));
      at = good;
    }
    first = end;
  }
  return out;
}

}  // namespace surefoot::grid
