// A distance field whose ways are straight: from each cell to the farthest one on its way that it
// sees (bandi2000, 7.4, for all cells at once).
#pragma once

#include "grid/smoothing.hpp"

namespace surefoot::grid {

class SightField {
 public:
  // Prices as the front had them.
  SightField(std::shared_ptr<const Front> front, std::span<const float> prices,
             const Interrupt& interrupt);

  const Front& front() const { return *front_; }
  // The cell where the way from a cell turns next, towards the front's source; -1 at a source and
  // where the front has not come by.
  int32_t next(int32_t cell) const { return next_[cell]; }
  // The cells where the way between a cell and the front's source turns, both ends among them; in
  // the order in which it is walked. Appended; nothing where there is no way.
  void corners(int32_t cell, std::vector<int32_t>& out) const;

 private:
  void look(int32_t cell, const Smoother& smoother);

  std::shared_ptr<const Front> front_;
  std::vector<int32_t> next_;
};

}  // namespace surefoot::grid
