#include "grid/pathfinder.hpp"

#include <algorithm>

namespace surefoot::grid {
namespace {

constexpr double kMostCost = 1e9;

std::vector<Seed> seeds(const Moves& moves, std::span<const int32_t> cells,
                        std::span<const double> costs, double unit, const char* what) {
  std::vector<Seed> out;
  if (!costs.empty()) check_count<GridError>(costs.size(), "costs", cells.size(), what);
  // Costs are whole numbers of small units; sums of them must fit.
  check_numbers<GridError>(costs, "costs", 0, kMostCost);
  for (size_t k = 0; k < cells.size(); ++k) {
    const int32_t cell = cells[k];
    check_cell(moves, cell, what);
    out.push_back({cell, costs.empty() ? 0 : static_cast<Cost>(std::ceil(costs[k] * unit))});
  }
  return out;
}

SearchResult spread(const Moves& moves, const PathTask& task, Nodes& nodes, BucketQueue& buckets,
                    SortedBuckets& heap, double& unit) {
  if (!moves.current())
    throw GridError("the moves are behind their voxels; update them before searching");
  if (!task.costs.prices.empty() && task.costs.prices.size() < moves.rows())
    throw GridError("there must be a price for each of " + std::to_string(moves.rows()) +
                    " rows of cells, got " + std::to_string(task.costs.prices.size()));
  unit = CellGraph::distance_for(moves, task.costs).unit();
  const std::vector<Seed> starts = seeds(moves, task.starts, task.start_costs, unit, "start");
  const std::vector<Seed> goals = seeds(moves, task.goals, task.goal_costs, unit, "goal");
  const CellGraph graph(moves, task.costs, goals, task.guided && !task.every_goal);
  const SearchTask search_task{starts, goals, task.every_goal, task.limit, &task.interrupt};
  return unit == 1 ? search(graph, search_task, moves.rows(), nodes, buckets)
                   : search(graph, search_task, moves.rows(), nodes, heap);
}

CellPath trace_parents(const Nodes& nodes, int32_t cell) {
  CellPath path;
  for (int32_t at = cell; at >= 0; at = nodes[at].parent) {
    path.cells.push_back(at);
    if (nodes[at].parent >= 0)
      path.actions.push_back(static_cast<uint8_t>(CellGraph::action(nodes[at].via)));
  }
  std::reverse(path.cells.begin(), path.cells.end());
  std::reverse(path.actions.begin(), path.actions.end());
  return path;
}

}  // namespace

void check_cell(const Moves& moves, int32_t cell, const char* name) {
  if (cell < 0 || static_cast<size_t>(cell) >= moves.rows() ||
      moves.voxels().cells()[cell].column < 0)
    refuse<GridError>(name, " ", cell, " is no cell");
}

Pathfinder::Pathfinder(std::shared_ptr<const Moves> moves) : moves_(std::move(moves)) {
  require<GridError>(moves_ != nullptr, "a search needs moves");
}

CellPath Pathfinder::path(const PathTask& task) {
  double unit = 1;
  const SearchResult result = spread(*moves_, task, nodes_, buckets_, heap_, unit);
  CellPath path = trace_parents(nodes_, result.cell);
  path.reached = result.reached;
  path.exhausted = result.exhausted;
  path.expanded = result.expanded;
  if (result.cell >= 0)
    path.cost =
        static_cast<double>(result.reached ? result.total : nodes_[result.cell].cost) / unit;
  return path;
}

Front::Front(std::shared_ptr<const Moves> moves, const PathTask& task)
    : moves_(std::move(moves)), backward_(task.costs.backward) {
  BucketQueue buckets;
  SortedBuckets heap;
  require<GridError>(moves_ != nullptr, "a front needs moves");
  PathTask unguided = task;
  unguided.guided = false;
  result_ = spread(*moves_, unguided, nodes_, buckets, heap, unit_);
  version_ = moves_->voxels().version();
}

double Front::cost(int32_t cell) const {
  return nodes_.closed(cell) ? static_cast<double>(nodes_[cell].cost) / unit_ : kInfinity;
}

CellPath Front::trace(int32_t cell) const {
  check_index<GridError>(cell, rows(), "cell");
  if (!nodes_.closed(cell)) return {};
  CellPath path = trace_parents(nodes_, cell);
  if (backward_) {
    std::reverse(path.cells.begin(), path.cells.end());
    std::reverse(path.actions.begin(), path.actions.end());
  }
  path.cost = cost(cell);
  path.reached = true;
  return path;
}

CellPath Front::trace(int32_t cell, int connectivity, std::span<const int32_t> order) const {
  check_index<GridError>(cell, rows(), "cell");
  check_indices<GridError>(order, 8, "order");
  CellPath path;
  if (backward_ || !nodes_.closed(cell)) return path;
  path.cost = cost(cell);
  path.reached = true;
  path.cells.push_back(cell);
  while (nodes_[cell].parent >= 0) {
    // Farther cells come after those around.
    int32_t best = nodes_[cell].parent;
    int action = CellGraph::action(nodes_[cell].via);
    Cost least = nodes_[best].cost + 1;
    const auto take = [&](int32_t from, int by) {
      if (!nodes_.closed(from) || nodes_[from].cost >= least) return;
      least = nodes_[from].cost, best = from, action = by;
    };
    const Links& links = moves_->links(cell);
    for (const int32_t d : order) {
      if (d >= connectivity) continue;
      if (links.mutual >> d & 1) take(links.to[d], links.action(d));
      for (const Leap& leap : moves_->arrivals(cell))
        if (leap.i == -kDirections[d].i && leap.j == -kDirections[d].j)
          take(leap.cell, leap.action);
    }
    path.cells.push_back(best);
    path.actions.push_back(static_cast<uint8_t>(action));
    cell = best;
  }
  std::reverse(path.cells.begin(), path.cells.end());
  std::reverse(path.actions.begin(), path.actions.end());
  return path;
}

}  // namespace surefoot::grid
