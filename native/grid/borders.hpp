// Border cells (bandi2000, 7.3), which keep paths away from walls and edges, and regions (6.2).
#pragma once

#include "grid/moves.hpp"

namespace surefoot::grid {

struct BorderSettings {
  int layers = 1;
  uint16_t actions = 0xffff;  // moves by these count; a side that only others cross is a border
  bool diagonals = false;     // corners count as sides
};

class Borders {
 public:
  // What nobody fits into.
  static constexpr uint8_t kNobody = 255;

  Borders(std::shared_ptr<const Moves> moves, const BorderSettings& settings,
          const Workers& workers);

  // Follows the changes of the moves; tells how many cells were looked at.
  size_t update(const Workers& workers);
  bool current() const { return moves_->current() && version_ == moves_->voxels().version(); }
  // Per row of cells: 0 inside, 1 at the border, 2 next to that, and so on.
  const std::vector<uint8_t>& layers() const { return layers_; }

 private:
  void make(const std::vector<int32_t>& columns, const Workers& workers);
  bool open(int32_t cell, int d, int layer) const;

  std::shared_ptr<const Moves> moves_;
  BorderSettings settings_;
  uint64_t version_ = 0;
  std::vector<uint8_t> layers_, found_;
};

// Per row of cells the number of its region, -1 where nobody fits. Mutual: between any two cells
// of a region there are ways both there and back; otherwise no way leads out of a region or in.
std::vector<int32_t> regions(const Moves& moves, bool mutual);

}  // namespace surefoot::grid
