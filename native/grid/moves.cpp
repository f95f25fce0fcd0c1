#include "grid/moves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "grid/leaps.hpp"
#include "grid/spread.hpp"

namespace surefoot::grid {
namespace {

// [m] rounding of heights that were meant to be equal.
constexpr float kSlack = 1e-4f;
// Columns that an action may span: all lines to as many columns around are kept.
constexpr int kFarthestReach = 128;
// Columns that one thread takes at a time.
constexpr size_t kChunk = Tiles::kColumns;

using Found = std::vector<std::pair<int32_t, Leap>>;

// Runs visit(column, found) over columns on many threads, and gives what was found in the order
// of the columns.
template <class Visit>
std::vector<Found> over_columns(const std::vector<int32_t>& columns, const Workers& workers,
                                Visit visit) {
  const size_t chunks = (columns.size() + kChunk - 1) / kChunk;
  std::vector<Found> found(chunks);
  parallel_for(chunks, workers.threads, 1, workers.interrupt, [&](size_t from, size_t to) {
    for (size_t c = from; c < to; ++c)
      for (size_t k = c * kChunk; k < std::min(columns.size(), (c + 1) * kChunk); ++k)
        visit(columns[k], found[c]);
  });
  return found;
}

}  // namespace

Moves::Moves(std::shared_ptr<const Voxels> voxels, const MoveSettings& settings,
             const Workers& workers)
    : voxels_(std::move(voxels)), settings_(settings) {
  require<GridError>(voxels_ != nullptr, "moves need voxels");
  require<GridError>(!settings.actions.empty() && settings.actions.size() <= kMostActions,
                     "there are ", settings.actions.size(), " actions; there must be 1 to ",
                     kMostActions);
  for (const Action& a : settings.actions) {
    check_size<GridError>(a.span, "span");
    check_size<GridError>(a.up, "up");
    check_size<GridError>(a.down, "down");
    check_size<GridError>(a.height, "height");
    check_size<GridError>(a.lift, "lift");
    check_number<GridError>(a.max_slope, "max_slope", 0, 1.6);
    check_number<GridError>(a.min_weight, "min_weight", 0, 1);
    require<GridError>(a.price > 0 && a.price <= kMaxSize, "price is ", a.price,
                       "; it must be above 0 and at most ", kMaxSize);
  }
  check_number<GridError>(settings.ledge, "ledge", -kMaxSize, kMaxSize);
  prepare();
  std::vector<int32_t> all(voxels_->tiles().columns());
  std::iota(all.begin(), all.end(), 0);
  make(all, all, workers);
  version_ = voxels_->version();
}

void Moves::prepare() {
  const double cell = voxels_->lattice().cell;
  double steepest = 0;
  for (const Action& a : settings_.actions) {
    steepest = std::max(steepest, a.max_slope);
    const auto f = [](double value) { return static_cast<float>(value); };
    limits_.push_back({f(a.up) + kSlack, f(a.down) + kSlack, f(a.height) - kSlack,
                       f(std::cos(a.max_slope) - 1e-4), f(a.min_weight - 1e-6), f(a.lift) + kSlack,
                       f(a.span / cell + 1e-6), a.gaps, a.euclidean});
    if (limits_.back().span >= 2)
      reach_ = std::max(reach_, static_cast<int>(std::min(limits_.back().span, 1e9f)));
  }
  if (reach_ > kFarthestReach) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "an action spans %d cells of %.3g m, more than %d; cells of %.3g m fit", reach_,
                  cell, kFarthestReach, cell * (reach_ + 1) / kFarthestReach);
    throw GridError(text);
  }
  ledge_ = static_cast<float>(settings_.ledge < 0 ? std::tan(steepest) * cell : settings_.ledge);
  ledge_ += kSlack;
  order_.resize(settings_.actions.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
    const Action &p = settings_.actions[a], &q = settings_.actions[b];
    return p.price != q.price ? p.price < q.price : p.priority < q.priority;
  });
  offsets_ = offsets_within(reach_);
}

size_t Moves::update(const Workers& workers) {
  if (current()) return 0;
  std::vector<int32_t> changed, rows;
  const Tiles& tiles = voxels_->tiles();
  if (!voxels_->changed_since(version_, changed, rows)) {
    links_.clear();
    out_.clear();
    in_.clear();
    changed.resize(tiles.columns());
    std::iota(changed.begin(), changed.end(), 0);
    make(changed, changed, workers);
    version_ = voxels_->version();
    return voxels_->live();
  }
  // A leap asks about links as far away as it reaches, and those about the columns around them.
  const std::vector<int32_t> around = spread(tiles, changed, reach_ + 1);
  std::vector<int32_t> all = rows;
  for (const int32_t column : around)
    for (const Cell& cell : voxels_->column(column)) all.push_back(row(cell));
  for (const int32_t row : all) forget(row);
  for (const int32_t row : rows)
    if (row < static_cast<int32_t>(links_.size())) links_[row] = {};
  make(changed, around, {workers.threads, {}});
  version_ = voxels_->version();
  return all.size();
}

// Takes back what a cell's moves have written elsewhere.
void Moves::forget(int32_t row) {
  if (row >= static_cast<int32_t>(links_.size())) return;
  Links& links = links_[row];
  for (int d = 0; d < 8; ++d)
    if (links.to[d] >= 0 && !(links.mutual >> d & 1)) no_arrival(links.to[d], row);
  for (const Leap& leap : out_[row]) no_arrival(leap.cell, row);
  out_.remove_all(row);
  links.more &= ~Links::kLeaps;
}

void Moves::no_arrival(int32_t row, int32_t from) {
  in_.remove(row, [from](const Leap& leap) { return leap.cell == from; });
  if (in_[row].empty()) links_[row].more &= ~Links::kArrivals;
}

// What fits into the cells of `changed` columns, and all moves from the cells of those `around`.
void Moves::make(const std::vector<int32_t>& changed, const std::vector<int32_t>& around,
                 const Workers& workers) {
  const size_t rows = voxels_->cells().size();
  links_.resize(rows);
  grounds_.resize(rows);
  out_.resize(rows);
  in_.resize(rows);
  const auto each_cell = [&](int32_t column, auto visit) {
    for (const Cell& cell : voxels_->column(column)) visit(row(cell));
  };
  const auto add = [&](Lists<Leap>& lists, uint8_t more, const std::vector<Found>& found) {
    for (const Found& chunk : found)
      for (const auto& [row, leap] : chunk) {
        lists.add(row, leap);
        links_[row].more |= more;
      }
  };
  over_columns(changed, workers, [&](int32_t column, Found&) {
    each_cell(column, [&](int32_t cell) { fit(cell); });
  });
  add(out_, Links::kLeaps, over_columns(around, workers, [&](int32_t column, Found& found) {
        link_column(column, found);
      }));
  if (reach_ > 1)
    add(out_, Links::kLeaps, over_columns(around, workers, [&](int32_t column, Found& found) {
          thread_local LeapFinder finder;
          each_cell(column, [&](int32_t cell) { finder.find(*this, cell, found); });
        }));
  over_columns(around, workers, [&](int32_t column, Found&) {
    each_cell(column, [&](int32_t cell) { find_mutual(cell); });
  });
  add(in_, Links::kArrivals, over_columns(around, workers, [&](int32_t column, Found& found) {
        each_cell(column, [&](int32_t cell) { find_arrivals(cell, found); });
      }));
}

// --- links ---------------------------------------------------------------------------------------

void Moves::fit(int32_t cell) {
  const Cell& c = voxels_->cells()[cell];
  Links links;
  for (size_t a = 0; a < limits_.size(); ++a) {
    const Limits& limits = limits_[a];
    const bool fits = !c.forbidden && c.weight > 0 && c.weight >= limits.weight &&
                      c.headroom >= limits.height && c.upright >= limits.upright;
    links.fits |= static_cast<uint16_t>(fits << a);
  }
  links.place = voxels_->tiles().place(c.column);
  links_[cell] = links;
  grounds_[cell] = c.ground;
}

Moves::Around Moves::columns_around(int32_t column) const {
  const Tiles& tiles = voxels_->tiles();
  Around around;
  const int32_t at = column % Tiles::kColumns, x = at % Tiles::kSide, y = at / Tiles::kSide;
  if (x > 0 && y > 0 && x < Tiles::kSide - 1 && y < Tiles::kSide - 1) {
    for (int d = 0; d < 8; ++d)
      around[d] = voxels_->rows(column + kDirections[d].j * Tiles::kSide + kDirections[d].i);
    return around;
  }
  const ColumnPlace here = tiles.place(column);
  for (int d = 0; d < 8; ++d)
    around[d] = voxels_->rows(tiles.find(here.i + kDirections[d].i, here.j + kDirections[d].j));
  return around;
}

void Moves::link_column(int32_t column, Found& seconds) {
  const Voxels::Rows rows = voxels_->rows(column);
  if (rows.count == 0) return;
  const Around around = columns_around(column);
  for (int32_t k = 0; k < rows.count; ++k) link(rows.first + k, around, seconds);
}

// At most one cell of each column around becomes a link: the one that the cheapest action leads
// to, and of several such the nearest in height. The others are kept as leaps.
void Moves::link(int32_t cell, const Around& around, Found& seconds) {
  const uint16_t fits = links_[cell].fits;
  Links links;
  SideSteps sides{};
  const auto off = [&](int32_t to) {
    return std::abs(voxels_->cells()[to].top - voxels_->cells()[cell].top);
  };
  for (int d = 0; d < 8 && fits != 0; ++d) {
    int best = 0;
    int32_t chosen = -1;
    const auto keep = [&](int32_t to, int rank) {
      seconds.push_back(
          {cell,
           {to, static_cast<int16_t>(kDirections[d].i), static_cast<int16_t>(kDirections[d].j),
            static_cast<uint8_t>(order_[rank])}});
    };
    for (int32_t k = 0; k < around[d].count; ++k) {
      const int32_t to = around[d].first + k;
      unsigned actions = steps(cell, to);
      if (d < 4 && k < kKept) sides[d][k] = static_cast<uint16_t>(actions);
      if (d >= 4 && actions != 0) actions &= past_corner(cell, to, d, around, sides);
      if (actions == 0) continue;
      int rank = 0;
      while (!(actions >> order_[rank] & 1)) ++rank;
      if (chosen >= 0 && (rank > best || (rank == best && off(to) >= off(chosen)))) {
        keep(to, rank);
        continue;
      }
      if (chosen >= 0) keep(chosen, best);
      chosen = to;
      best = rank;
    }
    if (chosen >= 0) links.set(d, chosen, order_[best]);
  }
  // Others may be reading what fits here.
  std::copy_n(links.to, 8, links_[cell].to);
  links_[cell].actions = links.actions;
}

// Actions by which the body fits past a corner over cells beside it.
unsigned Moves::past_corner(int32_t from, int32_t to, int corner, const Around& around,
                            const SideSteps& sides) const {
  if (settings_.corners == Corners::kCut) return ~0u;
  unsigned past[2] = {0, 0};
  for (int which = 0; which < 2; ++which) {
    const int side = flank(corner, which);
    for (int32_t k = 0; k < around[side].count; ++k) {
      const int32_t beside = around[side].first + k;
      const unsigned first = k < kKept ? sides[side][k] : steps(from, beside);
      if (first != 0) past[which] |= first & steps(beside, to);
    }
  }
  return settings_.corners == Corners::kOneFlank ? past[0] | past[1] : past[0] & past[1];
}

// --- the way back --------------------------------------------------------------------------------

void Moves::find_mutual(int32_t cell) {
  Links& links = links_[cell];
  links.mutual = 0;
  for (int d = 0; d < 8; ++d) {
    if (links.to[d] < 0) continue;
    const Links& there = links_[links.to[d]];
    if (there.to[opposite(d)] == cell && there.action(opposite(d)) == links.action(d))
      links.mutual |= static_cast<uint8_t>(1 << d);
  }
}

void Moves::find_arrivals(int32_t cell, Found& arrivals) const {
  const Links& links = links_[cell];
  for (int d = 0; d < 8; ++d)
    if (links.to[d] >= 0 && !(links.mutual >> d & 1))
      arrivals.push_back(
          {links.to[d],
           {cell, static_cast<int16_t>(kDirections[d].i), static_cast<int16_t>(kDirections[d].j),
            static_cast<uint8_t>(links.action(d))}});
  for (const Leap& leap : out_[cell])
    arrivals.push_back({leap.cell, {cell, leap.i, leap.j, leap.action}});
}

// --- questions -----------------------------------------------------------------------------------

int Moves::action_between(int32_t from, int32_t to) const {
  int found = -1;
  each_move(from, [&](int32_t cell, int action, int, int) {
    if (cell == to) found = action;
  });
  return found;
}

size_t Moves::bytes() const {
  return links_.capacity() * sizeof(Links) + grounds_.capacity() * sizeof(float) + out_.bytes() +
         in_.bytes();
}

}  // namespace surefoot::grid
