// Columns in square tiles that exist only where something stands: memory follows what is there,
// and a column keeps its id however far the world grows.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace surefoot::grid {

struct ColumnPlace {
  int32_t i, j;
};

class Tiles {
 public:
  static constexpr int kBits = 4, kSide = 1 << kBits, kColumns = kSide * kSide;

  int32_t count() const { return static_cast<int32_t>(corners_.size()); }
  int32_t columns() const { return count() * kColumns; }

  // The id of a column, or -1 where there is no tile.
  int32_t find(int32_t i, int32_t j) const {
    const int32_t tile = tile_at(i >> kBits, j >> kBits);
    return tile < 0 ? -1 : tile * kColumns + local(i, j);
  }
  int32_t find_or_make(int32_t i, int32_t j) {
    const int32_t x = i >> kBits, y = j >> kBits;
    int32_t tile = tile_at(x, y);
    if (tile < 0) {
      cover(x, y);
      tile = count();
      corners_.push_back({x << kBits, y << kBits});
      table_[index(x, y)] = tile;
    }
    return tile * kColumns + local(i, j);
  }
  ColumnPlace place(int32_t column) const {
    const ColumnPlace corner = corners_[column / kColumns];
    const int32_t at = column % kColumns;
    return {corner.i + at % kSide, corner.j + at / kSide};
  }
  // The tile at tile coordinates, or -1.
  int32_t tile_at(int32_t x, int32_t y) const {
    if (x < x_ || y < y_ || x >= x_ + width_ || y >= y_ + height_) return -1;
    return table_[index(x, y)];
  }

  // A column's place in its tile.
  static int32_t local(int32_t i, int32_t j) {
    return (j & (kSide - 1)) * kSide + (i & (kSide - 1));
  }

 private:
  size_t index(int32_t x, int32_t y) const {
    return static_cast<size_t>(y - y_) * width_ + (x - x_);
  }

  // Makes the table reach a tile, with room to grow on that side.
  void cover(int32_t x, int32_t y) {
    if (x >= x_ && y >= y_ && x < x_ + width_ && y < y_ + height_) return;
    int32_t left = x, bottom = y, right = x + 1, top = y + 1;
    if (width_ > 0) {
      left = x < x_ ? x - width_ / 2 : x_;
      right = x >= x_ + width_ ? x + 1 + width_ / 2 : x_ + width_;
      bottom = y < y_ ? y - height_ / 2 : y_;
      top = y >= y_ + height_ ? y + 1 + height_ / 2 : y_ + height_;
    }
    std::vector<int32_t> table(static_cast<size_t>(right - left) * (top - bottom), -1);
    for (int32_t row = 0; row < height_; ++row)
      std::copy_n(
          table_.begin() + static_cast<size_t>(row) * width_, width_,
          table.begin() + static_cast<size_t>(row + y_ - bottom) * (right - left) + (x_ - left));
    table_ = std::move(table);
    x_ = left, y_ = bottom, width_ = right - left, height_ = top - bottom;
  }

  int32_t x_ = 0, y_ = 0, width_ = 0, height_ = 0;
  std::vector<int32_t> table_;
  std::vector<ColumnPlace> corners_;
};

}  // namespace surefoot::grid
