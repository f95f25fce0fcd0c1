// Columns in square tiles that exist only where something stands: memory follows what is there,
// and a column keeps its id however far the world grows.
#pragma once

#include <cstddef>
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
      // Half of the table stays empty, so that few tiles are not where they are looked for first.
      if (2 * (corners_.size() + 1) > table_.size()) grow();
      tile = count();
      corners_.push_back({x << kBits, y << kBits});
      table_[slot(x, y)] = {x, y, tile};
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
    return table_.empty() ? -1 : table_[slot(x, y)].tile;
  }

  // A column's place in its tile.
  static int32_t local(int32_t i, int32_t j) {
    return (j & (kSide - 1)) * kSide + (i & (kSide - 1));
  }
  size_t bytes() const {
    return table_.capacity() * sizeof(Entry) + corners_.capacity() * sizeof(ColumnPlace);
  }

 private:
  struct Entry {
    int32_t x = 0, y = 0, tile = -1;
  };

  // Where a tile is in the table, or the free entry where it would be.
  size_t slot(int32_t x, int32_t y) const {
    const size_t mask = table_.size() - 1;
    const uint64_t key =
        static_cast<uint64_t>(static_cast<uint32_t>(y)) << 32 | static_cast<uint32_t>(x);
    size_t at = static_cast<size_t>((key * 0x9e3779b97f4a7c15u) >> 32) & mask;
    while (table_[at].tile >= 0 && (table_[at].x != x || table_[at].y != y)) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Entry> old(table_.empty() ? 64 : 2 * table_.size());
    old.swap(table_);
    for (const Entry& entry : old)
      if (entry.tile >= 0) table_[slot(entry.x, entry.y)] = entry;
  }

  std::vector<Entry> table_;  // by hash; as long as a power of two
  std::vector<ColumnPlace> corners_;
};

}  // namespace surefoot::grid
