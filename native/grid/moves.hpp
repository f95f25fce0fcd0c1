// Which cell can be reached from which (bandi2000, 6.2 and 7.1), for someone with some actions.
#pragma once

#include <array>
#include <cstdlib>
#include <memory>

#include "grid/action.hpp"
#include "grid/lists.hpp"
#include "grid/voxels.hpp"

namespace surefoot::grid {

// What a move across the corner between two cells needs (bandi2000, Fig. 5).
enum class Corners { kBothFlanks, kOneFlank, kCut };

struct MoveSettings {
  std::vector<Action> actions;
  Corners corners = Corners::kBothFlanks;
  // Only the nearest cells that can be reached in each direction, as the paper's first way does
  // (7.1); it misses some ways (7.2, Fig. 11).
  bool first_layer = false;
  // [m] a side whose cell is this much higher or lower is broken, like one that has none: farther
  // cells are sought across it. Negative: as high as the steepest slope rises over one cell.
  double ledge = -1;
};

// The moves from a cell to the cells around, at most one for each direction.
struct Links {
  int32_t to[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  uint32_t actions = 0;  // four bits for each direction
  uint16_t fits = 0;     // one bit for each action: someone can be in the cell with it
  uint8_t mutual = 0;    // one bit for each direction: the cell there links back, by that action
  uint8_t more = 0;      // kLeaps, kArrivals: it has some
  ColumnPlace place{};   // here, so that a search need not look farther

  static constexpr uint8_t kLeaps = 1, kArrivals = 2;

  int action(int d) const { return actions >> (4 * d) & 15; }
  void set(int d, int32_t cell, int action) {
    to[d] = cell;
    actions |= static_cast<uint32_t>(action) << (4 * d);
  }
};

// Any other move, or where one comes from: to a second cell of a column around, or farther.
struct Leap {
  int32_t cell;
  int16_t i, j;  // columns from here to there, whichever way it is walked
  uint8_t action;
};

// A column some way off, and the line to it.
struct Offset {
  int i, j;
  int first;                       // direction that one sets out in
  int previous;                    // the offset one step before on the line; -1: here
  int last;                        // direction of that last step
  std::vector<Direction> between;  // every column that the line passes
};

class Moves {
 public:
  Moves(std::shared_ptr<const Voxels> voxels, const MoveSettings& settings, const Workers& workers);

  // Follows the changes of the voxels; tells how many cells were looked at.
  size_t update(const Workers& workers);
  bool current() const { return version_ == voxels_->version(); }

  const Voxels& voxels() const { return *voxels_; }
  const std::vector<Action>& actions() const { return settings_.actions; }
  const Links& links(int32_t cell) const { return links_[cell]; }
  size_t rows() const { return links_.size(); }
  float ground(int32_t cell) const { return grounds_[cell]; }
  std::span<const Leap> leaps(int32_t cell) const {
    return links_[cell].more & Links::kLeaps ? out_[cell] : std::span<const Leap>{};
  }
  // Moves that end here and are no mutual link; (i, j) leads from there to here.
  std::span<const Leap> arrivals(int32_t cell) const {
    return links_[cell].more & Links::kArrivals ? in_[cell] : std::span<const Leap>{};
  }
  // Visits (to, action, i, j) of every move from a cell.
  template <class Visit>
  void each_move(int32_t cell, Visit visit) const;
  // Columns that the farthest action spans.
  int reach() const { return reach_; }
  size_t bytes() const;
  // The action of the move between two cells, or -1.
  int action_between(int32_t from, int32_t to) const;

 private:
  friend class LeapFinder;
  using Found = std::vector<std::pair<int32_t, Leap>>;
  using Around = std::array<Voxels::Rows, 8>;
  // For each of the four sides, the actions that lead to the first cells of its column.
  static constexpr int32_t kKept = 4;
  using SideSteps = std::array<std::array<uint16_t, kKept>, 4>;
  struct Limits {  // an action's, in cells and with room for rounding
    float up, down, height, upright, weight, lift, span;
    bool gaps, euclidean;

    bool spans(int i, int j) const {
      const auto x = static_cast<float>(std::abs(i)), y = static_cast<float>(std::abs(j));
      return euclidean ? x * x + y * y <= span * span : x + y <= span;
    }
  };

  void prepare();
  void make(const std::vector<int32_t>& changed, const std::vector<int32_t>& around,
            const Workers& workers);
  void forget(int32_t row);
  void no_arrival(int32_t row, int32_t from);
  void fit(int32_t cell);
  void link_column(int32_t column, Found& seconds);
  void link(int32_t cell, const Around& around, Found& seconds);
  unsigned steps(int32_t from, int32_t to) const;
  unsigned past_corner(int32_t from, int32_t to, int corner, const Around& around,
                       const SideSteps& sides) const;
  void find_mutual(int32_t cell);
  void find_arrivals(int32_t cell, Found& arrivals) const;
  Around columns_around(int32_t column) const;
  int32_t row(const Cell& cell) const {
    return static_cast<int32_t>(&cell - voxels_->cells().data());
  }

  std::shared_ptr<const Voxels> voxels_;
  MoveSettings settings_;
  std::vector<Limits> limits_;
  std::vector<int> order_;       // actions, the cheapest first
  std::vector<Offset> offsets_;  // where leaps may end, the nearest first
  float ledge_ = 0;
  int reach_ = 1;
  uint64_t version_ = 0;
  std::vector<Links> links_;
  std::vector<float> grounds_;
  Lists<Leap> out_, in_;
};

// Actions by which one gets from a cell to another: one fits into both, gets up or down, and has
// room above on the way. One bit for each.
inline unsigned Moves::steps(int32_t from, int32_t to) const {
  unsigned both = links_[from].fits & links_[to].fits;
  if (both == 0) return 0;
  const Cell &a = voxels_->cells()[from], &b = voxels_->cells()[to];
  const float rise = b.top - a.top;
  const float room = std::min(a.top + a.headroom, b.top + b.headroom) - std::max(a.top, b.top);
  unsigned out = 0;
  const Limits* limits = limits_.data();
  for (unsigned bit = 1; bit <= both; bit <<= 1, ++limits)
    if ((both & bit) && rise <= limits->up && rise >= -limits->down && room >= limits->height)
      out |= bit;
  return out;
}

template <class Visit>
void Moves::each_move(int32_t cell, Visit visit) const {
  const Links& links = links_[cell];
  for (int d = 0; d < 8; ++d)
    if (links.to[d] >= 0) visit(links.to[d], links.action(d), kDirections[d].i, kDirections[d].j);
  for (const Leap& leap : leaps(cell)) visit(leap.cell, leap.action, leap.i, leap.j);
}

}  // namespace surefoot::grid
