// Ways over surface cells: one at a time with a workspace that is kept, or a whole front that
// answers for every cell.
#pragma once

#include "grid/cell_graph.hpp"

namespace surefoot::grid {

struct CellPath {
  std::vector<int32_t> cells;
  std::vector<uint8_t> actions;  // by which each next cell is reached
  double cost = kInfinity;       // [m] or steps, with the costs of start and goal
  bool reached = false, exhausted = false;
  size_t expanded = 0;
};

struct PathTask {
  std::span<const int32_t> starts, goals;
  std::span<const double> start_costs, goal_costs;  // empty: nothing
  CellCosts costs;
  bool guided = true;  // A*; otherwise a bushfire
  bool every_goal = false;
  size_t limit = 0;
  Interrupt interrupt;
};

// A front that has spread (bandi2000, 4.1), kept as a distance field. Many share one goal: from
// each cell the way is read off at the cost of its length.
class Front {
 public:
  Front(std::shared_ptr<const Moves> moves, const PathTask& task);

  const SearchResult& result() const { return result_; }
  const Moves& moves() const { return *moves_; }
  size_t rows() const { return moves_->rows(); }
  bool backward() const { return backward_; }
  // Infinite where the front has not come by.
  double cost(int32_t cell) const;
  int32_t parent(int32_t cell) const { return nodes_.closed(cell) ? nodes_[cell].parent : -1; }
  // Of the move between a cell and its parent, which there is.
  int action(int32_t cell) const { return CellGraph::action(nodes_[cell].via); }
  bool current() const { return moves_->current() && version_ == moves_->voxels().version(); }
  // From the source to a cell, or when the front ran backward from the cell to the source.
  CellPath trace(int32_t cell) const;
  // The paper's second stage: always the neighbour of the lowest level, of equal ones the first
  // in `order` (eight directions, as seen from the later cell).
  CellPath trace(int32_t cell, int connectivity, std::span<const int32_t> order) const;

 private:
  std::shared_ptr<const Moves> moves_;
  bool backward_;
  double unit_;
  uint64_t version_;
  Nodes nodes_;
  SearchResult result_;
};

// Throws where a row holds no cell.
void check_cell(const Moves& moves, int32_t cell, const char* name);

class Pathfinder {
 public:
  explicit Pathfinder(std::shared_ptr<const Moves> moves);

  const Moves& moves() const { return *moves_; }
  std::shared_ptr<const Moves> share() const { return moves_; }
  CellPath path(const PathTask& task);

 private:
  std::shared_ptr<const Moves> moves_;
  Nodes nodes_;
  BucketQueue buckets_;
  SortedBuckets heap_;
};

}  // namespace surefoot::grid
