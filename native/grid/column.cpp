#include "grid/column.hpp"

#include <algorithm>
#include <cmath>

namespace surefoot::grid {
namespace {

void join(Run& run, const Run& other) {
  run.lo = std::min(run.lo, other.lo);
  run.hi = std::max(run.hi, other.hi);
  run.low = std::min(run.low, other.low);
  run.high = std::max(run.high, other.high);
  run.crossings += other.crossings;
}

// Joins a run with those that it overlaps or touches: without an empty slice in between there is
// no cell to stand on. Runs from `first` on are in order; few columns have more than three.
inline void insert(std::vector<Run>& runs, size_t first, const Run& run) {
  Run *at = runs.data() + first, *end = runs.data() + runs.size();
  while (at != end && at->hi + 1 < run.lo) ++at;
  if (at == end) {
    runs.push_back(run);
  } else if (run.hi + 1 < at->lo) {
    runs.insert(runs.begin() + (at - runs.data()), run);
  } else {
    join(*at, run);
    Run* next = at + 1;
    while (next != end && next->lo <= at->hi + 1) join(*at, *next++);
    if (next > at + 1)
      runs.erase(runs.begin() + (at + 1 - runs.data()), runs.begin() + (next - runs.data()));
  }
}

}  // namespace

void merge_pieces(std::span<const Piece> pieces, std::vector<Run>& runs,
                  std::vector<Ground>& grounds) {
  const size_t first = runs.size(), first_ground = grounds.size();
  for (const Piece& p : pieces) {
    insert(runs, first, {p.lo, p.hi, p.low, p.high, p.crossing});
    if (p.area <= 0) continue;
    // A floor in many triangles is one ground.
    size_t same = first_ground;
    while (same < grounds.size() &&
           (grounds[same].high != p.high || grounds[same].upright != p.upright))
      ++same;
    if (same == grounds.size()) {
      grounds.push_back({p.hi, p.high, p.centre, p.area, p.upright});
      continue;
    }
    Ground& ground = grounds[same];
    ground.area += p.area;
    if (std::isnan(ground.centre) || p.centre > ground.centre) ground.centre = p.centre;
  }
}

void ColumnBuilder::build(int32_t column, std::span<const Part> parts, std::vector<Cell>& out) {
  runs_.clear();
  for (const Part& part : parts) {
    if (part.solid) {
      add_solid(part);
    } else {
      for (const Run& run : part.runs) insert(runs_, 0, run);
    }
  }
  for (size_t k = 0; k < runs_.size(); ++k) {
    Cell& cell = out.emplace_back();
    cell.column = column;
    cell.lo = runs_[k].lo, cell.hi = runs_[k].hi;
    cell.bottom = runs_[k].low, cell.top = runs_[k].high;
    cell.headroom =
        k + 1 < runs_.size() ? runs_[k + 1].low - cell.top : std::numeric_limits<float>::infinity();
    finish(cell, parts);
  }
}

// Between two surfaces of a body there is either matter all through the column or none at all, so
// one look at the column's centre tells: it is inside when the surfaces above wind around it.
void ColumnBuilder::add_solid(const Part& part) {
  int winding = 0;
  for (size_t k = part.runs.size(); k > 0;) {
    Run run = part.runs[--k];
    winding += run.crossings;
    // With matter below, the next run down is the same one.
    for (; k > 0 && winding > 0; winding += part.runs[k].crossings) {
      --k;
      run.lo = part.runs[k].lo;
      run.low = std::min(run.low, part.runs[k].low);
    }
    insert(runs_, 0, run);
  }
}

// Ground, weight and owner of a cell, from what is near its top.
void ColumnBuilder::finish(Cell& cell, std::span<const Part> parts) const {
  constexpr float kRounding = 1e-5f, kNone = -std::numeric_limits<float>::infinity();
  const float deepest = cell.top - relief_ - kRounding;
  float area = 0, leaning = 0, best_centre = kNone, best_ground = kNone, best_top = kNone;
  int32_t centre_body = -1, ground_body = -1, top_body = -1;
  const auto raise = [](float& best, int32_t& owner, float value, int32_t body) {
    if (value > best) best = value, owner = body;
  };
  for (const Part& part : parts) {
    for (const Run& run : part.runs) {
      if (run.high < deepest || run.lo < cell.lo || run.hi > cell.hi) continue;
      cell.forbidden |= part.forbidden;
      raise(best_top, top_body, run.high, part.body);
    }
    for (const Ground& ground : part.grounds) {
      if (ground.high < deepest || ground.level < cell.lo || ground.level > cell.hi) continue;
      area += ground.area;
      leaning += ground.area * ground.upright;
      raise(best_ground, ground_body, ground.high, part.body);
      if (ground.centre >= deepest) raise(best_centre, centre_body, ground.centre, part.body);
    }
  }
  cell.weight = std::min(1.0f, area);
  cell.upright = area > 0 ? leaning / area : 0;
  cell.ground = centre_body >= 0 ? best_centre : ground_body >= 0 ? best_ground : cell.top;
  cell.body = centre_body >= 0 ? centre_body : ground_body >= 0 ? ground_body : top_body;
}

}  // namespace surefoot::grid
