// Surface cells as a source of neighbours for the search.
#pragma once

#include "grid/metric.hpp"
#include "grid/moves.hpp"
#include "grid/search.hpp"

namespace surefoot::grid {

// What moves cost, and where a search goes.
struct CellCosts {
  Metric metric = Metric::kEuclidean;
  int connectivity = 8;
  std::span<const float> prices;  // per cell, >= 1; infinite: closed but for starts and goals
  bool backward = false;          // from the goals, against the moves
  // Moves (from, to) that cannot be made after all, in order.
  std::span<const std::pair<int32_t, int32_t>> banned;
};

class CellGraph {
 public:
  struct Place {
    int32_t i, j;
    float z;
  };

  // Guided, the bound leads to the goals; otherwise it is nothing, and the search a bushfire.
  CellGraph(const Moves& moves, const CellCosts& costs, std::span<const Seed> goals, bool guided);
  // How costs are counted; a cost of 1 is `unit` of its units.
  static Distance distance_for(const Moves& moves, const CellCosts& costs);

  const Distance& distance() const { return distance_; }

  Place place(int32_t cell) const {
    const ColumnPlace& at = moves_.links(cell).place;
    return {at.i, at.j, moves_.ground(cell)};
  }
  Cost bound(const Place& at) const {
    if (!guided_) return 0;
    const int i = std::max({low_.i - at.i, 0, at.i - high_.i});
    const int j = std::max({low_.j - at.j, 0, at.j - high_.j});
    const float rise = std::max({low_.z - at.z, 0.0f, at.z - high_.z});
    return distance_.bound(i, j, rise, least_price_) + least_goal_;
  }
  int bucket_bits() const { return distance_.bucket_bits(); }
  int rank(uint8_t via) const { return ranks_[via]; }
  static int action(uint8_t via) { return via & 15; }

  template <class Visit>
  void each_neighbour(int32_t cell, const Place& at, Visit visit) const {
    const Links& links = moves_.links(cell);
    const int directions = costs_.connectivity;
    const auto look = [&](int32_t to, int i, int j, int action, int kind) {
      if (to < 0 || (!costs_.banned.empty() && banned(cell, to))) return;
      const float z = moves_.ground(to);
      const double price = plain_ ? 1 : price_between(cell, to);
      if (price == kInfinity) return;
      const Cost cost = price == 1 && z == at.z && kind < 2
                            ? level_[kind][action]
                            : distance_.move(std::abs(i), std::abs(j), z - at.z,
                                             price * moves_.actions()[action].price);
      visit(to, cost, static_cast<uint8_t>(action | kind << 4), Place{at.i + i, at.j + j, z});
    };
    if (!costs_.backward) {
      for (int d = 0; d < directions; ++d)
        look(links.to[d], kDirections[d].i, kDirections[d].j, links.action(d), d < 4 ? 0 : 1);
      for (const Leap& leap : moves_.leaps(cell)) look_far(leap, leap.i, leap.j, look);
      return;
    }
    for (int d = 0; d < directions; ++d)
      if (links.mutual >> d & 1)
        look(links.to[d], kDirections[d].i, kDirections[d].j, links.action(d), d < 4 ? 0 : 1);
    for (const Leap& leap : moves_.arrivals(cell)) look_far(leap, -leap.i, -leap.j, look);
  }

 private:
  // Second links are links: across a corner only where corners are crossed.
  template <class Look>
  void look_far(const Leap& leap, int i, int j, Look look) const {
    const int kind = std::max(std::abs(i), std::abs(j)) > 1 ? 2 : i != 0 && j != 0 ? 1 : 0;
    if (kind == 1 && costs_.connectivity == 4) return;
    look(leap.cell, i, j, leap.action, kind);
  }
  double price_between(int32_t from, int32_t to) const {
    if (costs_.prices.empty()) return 1;
    const float p = costs_.prices[from], q = costs_.prices[to];
    if (q == kClosed) return is_goal(to) ? (p == kClosed ? 1 : p) : kInfinity;
    return p == kClosed ? q : (static_cast<double>(p) + q) / 2;
  }
  bool banned(int32_t cell, int32_t to) const {
    const std::pair move = costs_.backward ? std::pair(to, cell) : std::pair(cell, to);
    return std::binary_search(costs_.banned.begin(), costs_.banned.end(), move);
  }
  bool is_goal(int32_t cell) const {
    return std::binary_search(goals_.begin(), goals_.end(), cell);
  }

  static constexpr float kClosed = std::numeric_limits<float>::infinity();

  const Moves& moves_;
  CellCosts costs_;
  Distance distance_;
  bool plain_ = true;  // level moves between neighbours have the costs of a table
  bool guided_ = false;
  double least_price_ = 1;
  Cost least_goal_ = 0;
  Place low_{}, high_{};
  std::vector<int32_t> goals_;
  std::array<std::array<Cost, kMostActions>, 2> level_{};
  std::array<int, 64> ranks_{};
};

}  // namespace surefoot::grid
