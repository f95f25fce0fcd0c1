#include "grid/column.hpp"

#include <algorithm>

namespace surefoot::grid {

void ColumnBuilder::build(int32_t column, std::span<const Part> parts, std::vector<Cell>& out) {
  runs_.clear();
  for (const Part& part : parts) add_runs(part);
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.lo < b.lo; });

  const size_t first = out.size();
  for (const Run& run : runs_) {
    // Without an empty slice in between there is no cell to stand on.
    if (out.size() > first && run.lo <= out.back().hi + 1) {
      Cell& cell = out.back();
      cell.hi = std::max(cell.hi, run.hi);
      cell.bottom = std::min(cell.bottom, run.low);
      cell.top = std::max(cell.top, run.high);
      continue;
    }
    Cell cell;
    cell.column = column;
    cell.lo = run.lo, cell.hi = run.hi;
    cell.bottom = run.low, cell.top = run.high;
    out.push_back(cell);
  }
  for (size_t k = first; k < out.size(); ++k) {
    out[k].headroom = k + 1 < out.size() ? out[k + 1].bottom - out[k].top
                                         : std::numeric_limits<float>::infinity();
    finish(out[k], parts);
  }
}

// The slices of one body. Between two of its surfaces there is either matter all through the
// column or none at all, so one look at the column's centre tells: it is inside when the surfaces
// above wind around it.
void ColumnBuilder::add_runs(const Part& part) {
  order_.clear();
  bool crossed = false;
  for (const Piece& p : part.pieces) {
    order_.push_back({p.lo, p.hi, p.low, p.high, p.crossing});
    crossed |= p.crossing != 0;
  }
  if (!part.solid || !crossed) {
    for (const Winding& w : order_) runs_.push_back({w.lo, w.hi, w.low, w.high});
    return;
  }
  // From the top down: join what touches, and what has matter in between.
  const size_t first = runs_.size();
  std::sort(order_.begin(), order_.end(),
            [](const Winding& a, const Winding& b) { return a.hi > b.hi; });
  int winding = 0;
  for (const Winding& w : order_) {
    if (runs_.size() > first && (winding > 0 || w.hi + 1 >= runs_.back().lo)) {
      Run& run = runs_.back();
      run.lo = std::min(run.lo, w.lo);
      run.low = std::min(run.low, w.low);
      run.high = std::max(run.high, w.high);
    } else {
      runs_.push_back({w.lo, w.hi, w.low, w.high});
    }
    winding += w.crossings;
  }
}

// Ground, weight and owner of a cell, from the pieces near its top.
void ColumnBuilder::finish(Cell& cell, std::span<const Part> parts) const {
  constexpr float kRounding = 1e-5f;
  const float deepest = cell.top - relief_ - kRounding;
  float area = 0, leaning = 0;
  float best_centre = -std::numeric_limits<float>::infinity(), best_ground = best_centre,
        best_top = best_centre;
  int32_t centre_body = -1, ground_body = -1, top_body = -1;
  const auto raise = [](float& best, int32_t& owner, float value, int32_t body) {
    if (value > best) best = value, owner = body;
  };
  for (const Part& part : parts)
    for (const Piece& p : part.pieces) {
      if (p.high < deepest || p.lo < cell.lo || p.hi > cell.hi) continue;
      cell.forbidden |= part.forbidden;
      raise(best_top, top_body, p.high, part.body);
      if (p.area <= 0) continue;
      area += p.area;
      leaning += p.area * p.upright;
      raise(best_ground, ground_body, p.high, part.body);
      if (p.centre >= deepest) raise(best_centre, centre_body, p.centre, part.body);
    }
  cell.weight = std::min(1.0f, area);
  cell.upright = area > 0 ? leaning / area : 0;
  cell.ground = centre_body >= 0 ? best_centre : ground_body >= 0 ? best_ground : cell.top;
  cell.body = centre_body >= 0 ? centre_body : ground_body >= 0 ? ground_body : top_body;
}

}  // namespace surefoot::grid
