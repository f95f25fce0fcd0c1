// Two more sources of neighbours for the same search: a plane of open and blocked cells, and
// flight through open voxels. They have public benchmarks with known shortest lengths.
#pragma once

#include <array>
#include <cmath>
#include <cstdlib>

#include "grid/search.hpp"
#include "math/checks.hpp"

namespace surefoot::grid {

// Cells are numbered in 32 bits.
inline constexpr double kMostCells = 2147483647;

// Eight neighbours; a diagonal needs both cells beside it open.
class Plane {
 public:
  struct Place : std::array<int32_t, 2> {
    int32_t x() const { return (*this)[0]; }
    int32_t y() const { return (*this)[1]; }
  };
  static constexpr double kUnit = 4294967296.0;

  Plane(int64_t width, int64_t height, const bool* open)
      : width_(static_cast<int32_t>(width)), height_(static_cast<int32_t>(height)) {
    check_number(static_cast<double>(width), "width", 0, kMostCells);
    check_number(static_cast<double>(height), "height", 0, kMostCells);
    check_number(static_cast<double>(width * height), "the number of cells", 0, kMostCells);
    open_.assign(open, open + width * height);
  }

  int32_t cells() const { return width_ * height_; }
  int32_t cell(int32_t x, int32_t y) const { return y * width_ + x; }
  bool inside(int32_t x, int32_t y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
  bool open(int32_t x, int32_t y) const { return inside(x, y) && open_[cell(x, y)]; }
  void aim(int32_t goal) { goal_ = place(goal); }

  Place place(int32_t cell) const { return {{cell % width_, cell / width_}}; }
  Cost bound(const Place& at) const {
    const Cost x = std::abs(at.x() - goal_.x()), y = std::abs(at.y() - goal_.y()),
               less = std::min(x, y);
    return kSide * (std::max(x, y) - less) + kCorner * less;
  }
  int rank(uint8_t via) const { return via; }
  int bucket_bits() const { return 24; }

  template <class Visit>
  void each_neighbour(int32_t, const Place& at, Visit visit) const {
    bool side[4];
    for (int d = 0; d < 4; ++d) {
      const Place to{{at.x() + kX[d], at.y() + kY[d]}};
      side[d] = open(to.x(), to.y());
      if (side[d]) visit(cell(to.x(), to.y()), kSide, uint8_t{0}, to);
    }
    for (int d = 0; d < 4; ++d) {
      const int e = (d + 1) & 3;
      const Place to{{at.x() + kX[d] + kX[e], at.y() + kY[d] + kY[e]}};
      if (side[d] && side[e] && open(to.x(), to.y()))
        visit(cell(to.x(), to.y()), kCorner, uint8_t{1}, to);
    }
  }

 private:
  static constexpr int kX[4] = {1, 0, -1, 0}, kY[4] = {0, 1, 0, -1};
  static constexpr Cost kSide = 4294967296, kCorner = 6074001000;  // times sqrt 2
  int32_t width_, height_;
  std::vector<uint8_t> open_;
  Place goal_{{0, 0}};
};

// Per move the bits of the cells that its box holds.
constexpr std::array<uint32_t, 27> move_boxes() {
  std::array<uint32_t, 27> out{};
  for (int move = 0; move < 27; ++move)
    for (int k = 0; k < 27; ++k) {
      bool inside = true;
      for (int power = 1; power <= 9; power *= 3) {
        const int at = k / power % 3 - 1;
        inside = inside && (at == 0 || at == move / power % 3 - 1);
      }
      if (inside) out[move] |= 1u << k;
    }
  return out;
}
inline constexpr std::array<uint32_t, 27> kBoxes = move_boxes();

// 26 neighbours; the whole box around a move must be open.
class Flight {
 public:
  using Place = std::array<int32_t, 3>;
  static constexpr double kUnit = 4294967296.0;

  Flight(std::array<int64_t, 3> size, const bool* open) {
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
      check_number(static_cast<double>(size[axis]), "the size", 0, kMostCells);
      size_[axis] = static_cast<int32_t>(size[axis]);
      cells *= static_cast<double>(size[axis]);
    }
    check_number(cells, "the number of cells", 0, kMostCells);
    open_.assign(open, open + size[0] * size[1] * size[2]);
  }

  int32_t cells() const { return size_[0] * size_[1] * size_[2]; }
  int32_t cell(const Place& p) const { return (p[0] * size_[1] + p[1]) * size_[2] + p[2]; }
  bool inside(const Place& p) const {
    for (int axis = 0; axis < 3; ++axis)
      if (p[axis] < 0 || p[axis] >= size_[axis]) return false;
    return true;
  }
  bool open(const Place& p) const { return inside(p) && open_[cell(p)]; }
  void aim(int32_t goal) { goal_ = place(goal); }

  Place place(int32_t cell) const {
    return {cell / (size_[1] * size_[2]), cell / size_[2] % size_[1], cell % size_[2]};
  }
  Cost bound(const Place& at) const {
    Place d{std::abs(at[0] - goal_[0]), std::abs(at[1] - goal_[1]), std::abs(at[2] - goal_[2])};
    std::sort(d.begin(), d.end());
    return kCosts[2] * d[0] + kCosts[1] * (d[1] - d[0]) + kCosts[0] * (d[2] - d[1]);
  }
  int rank(uint8_t via) const { return via; }
  int bucket_bits() const { return 24; }

  template <class Visit>
  void each_neighbour(int32_t, const Place& at, Visit visit) const {
    // Open cells around, one bit each: a move's box is open when all its bits are there.
    uint32_t around = 0;
    for (int k = 0; k < 27; ++k)
      around |=
          static_cast<uint32_t>(open({at[0] + k / 9 - 1, at[1] + k / 3 % 3 - 1, at[2] + k % 3 - 1}))
          << k;
    for (int k = 0; k < 27; ++k) {
      const int x = k / 9 - 1, y = k / 3 % 3 - 1, z = k % 3 - 1;
      const int axes = std::abs(x) + std::abs(y) + std::abs(z);
      if (axes == 0 || (around & kBoxes[k]) != kBoxes[k]) continue;
      const Place to{at[0] + x, at[1] + y, at[2] + z};
      visit(cell(to), kCosts[axes - 1], static_cast<uint8_t>(axes - 1), to);
    }
  }

 private:
  // 1, sqrt 2 and sqrt 3.
  static constexpr Cost kCosts[3] = {4294967296, 6074001000, 7439101574};
  Place size_;
  std::vector<uint8_t> open_;
  Place goal_{0, 0, 0};
};

}  // namespace surefoot::grid
