// How far two cells are from each other (bandi2000, 5.2), in whole small units.
#pragma once

#include <algorithm>
#include <cmath>

#include "grid/queue.hpp"
#include "math/checks.hpp"

namespace surefoot::grid {

enum class Metric {
  kSteps,      // the number of moves from cell to cell, level or not
  kEuclidean,  // [m] the length of the line through the cells' centres on the ground
};

// A norm, so that no detour is shorter and distances bound the cost of ways: along x plus along y
// where only sides are crossed (d4), as the king moves where corners are too (d8), with diagonals
// as long as they are for lengths; heights go in as in Pythagoras.
class Distance {
 public:
  Distance() = default;
  Distance(Metric metric, int connectivity, double cell, bool priced)
      : diagonals_(connectivity == 8), lengths_(metric == Metric::kEuclidean) {
    // Fine enough that rounding does not show in a path of any length; plain steps are counted.
    unit_ = lengths_ ? 4294967296.0 : priced ? 1048576.0 : 1.0;
    side_ = static_cast<Cost>(std::ceil(lengths_ ? cell * unit_ : unit_));
    corner_ = lengths_ ? static_cast<Cost>(std::ceil(cell * std::sqrt(2.0) * unit_)) : side_;
  }

  double unit() const { return unit_; }
  // Fine enough that few keys share a bucket.
  int bucket_bits() const {
    int bits = 0;
    while ((side_ >> 8) >> (bits + 1)) ++bits;
    return bits;
  }
  // Over (i, j) columns, at least 0 each.
  Cost level(int i, int j) const {
    if (!diagonals_) return side_ * (static_cast<Cost>(i) + j);
    const int less = std::min(i, j);
    return side_ * (std::max(i, j) - less) + corner_ * less;
  }
  // Never less than the true length.
  Cost move(int i, int j, double rise, double price) const {
    const Cost flat = level(i, j);
    if (!lengths_ || rise == 0) return priced(flat, price);
    const double high = rise * unit_;
    return priced(static_cast<Cost>(std::ceil(std::sqrt(
                      static_cast<double>(flat) * static_cast<double>(flat) + high * high))),
                  price);
  }
  // Never more than it.
  Cost bound(int i, int j, double rise, double price) const {
    const Cost flat = level(i, j);
    double length = static_cast<double>(flat);
    if (lengths_ && rise != 0) {
      const double high = rise * unit_;
      length = std::max(length, std::floor(std::sqrt(length * length + high * high)) - 1);
    } else if (price == 1) {
      return flat;
    }
    return static_cast<Cost>(std::floor(length * price));
  }

 private:
  static Cost priced(Cost length, double price) {
    // Nothing is free: a way that costs nothing could go round in circles.
    if (price == 1) return std::max<Cost>(1, length);
    const double cost = std::ceil(static_cast<double>(length) * price);
    if (!(cost < kMost)) refuse("a move costs more than can be counted; its price is ", price);
    return std::max<Cost>(1, static_cast<Cost>(cost));
  }

  // So many such moves can be added up.
  static constexpr double kMost = 0x1p52;

  bool diagonals_ = true, lengths_ = true;
  double unit_ = 1;
  Cost side_ = 1, corner_ = 1;
};

}  // namespace surefoot::grid
