#include "grid/rerouting.hpp"

namespace surefoot::grid {
namespace {

struct Move {
  Cost cost = kFar;
  int action = -1;
};

// The move between two cells, as the graph has it.
Move move_between(const CellGraph& graph, int32_t from, int32_t to) {
  Move found;
  graph.each_neighbour(from, graph.place(from),
                       [&](int32_t cell, Cost cost, uint8_t via, const auto&) {
                         if (cell == to && cost < found.cost)
                           found = {cost, CellGraph::action(via)};
                       });
  return found;
}

void append(const CellGraph& graph, CellPath& path, int32_t cell) {
  if (!path.cells.empty())
    path.actions.push_back(
        static_cast<uint8_t>(move_between(graph, path.cells.back(), cell).action));
  path.cells.push_back(cell);
}

}  // namespace

std::vector<uint8_t> broken(const Moves& moves, std::span<const int32_t> cells,
                            std::span<const float> prices) {
  for (const int32_t cell : cells)
    if (cell >= 0) check_cell(moves, cell, "cell");
  require<GridError>(prices.empty() || prices.size() >= moves.rows(), "there are ", prices.size(),
                     " prices for ", moves.rows(), " rows of cells");
  std::vector<uint8_t> out(cells.empty() ? 0 : cells.size() - 1, 0);
  for (size_t k = 0; k < out.size(); ++k) {
    const int32_t from = cells[k], to = cells[k + 1];
    const bool last = k + 1 == out.size();
    out[k] = from < 0 || to < 0 || moves.action_between(from, to) < 0 ||
             (!last && !prices.empty() && prices[to] == std::numeric_limits<float>::infinity());
  }
  return out;
}

Mended reroute(Pathfinder& finder, std::span<const int32_t> cells, size_t at, bool nearest,
               const PathTask& task) {
  const Moves& moves = finder.moves();
  if (!moves.current())
    throw GridError("the moves are behind their voxels; update them before searching");
  if (at >= cells.size() || cells[at] < 0)
    throw GridError("one is on no cell of the path: start again from where one is");
  const CellGraph graph(moves, task.costs, {}, false);
  const double unit = graph.distance().unit();
  const std::vector<uint8_t> breaks = broken(moves, cells, task.costs.prices);
  size_t first = at;
  while (first < breaks.size() && !breaks[first]) ++first;
  size_t behind = first + 1;
  for (size_t k = first; k < breaks.size(); ++k)
    if (breaks[k]) behind = k + 1;

  Mended mended;
  if (first == breaks.size()) {
    mended.head = static_cast<int32_t>(cells.size() - at);
    for (size_t k = at; k < cells.size(); ++k) append(graph, mended.path, cells[k]);
    mended.path.reached = true;
  } else {
    // The tail, and what is left to go from each of its cells.
    std::vector<int32_t> goals;
    std::vector<double> rest;
    double left = 0;
    for (size_t k = cells.size(); k-- > behind;) {
      if (cells[k] < 0 || moves.links(cells[k]).fits == 0) break;
      if (k + 1 < cells.size())
        left += static_cast<double>(move_between(graph, cells[k], cells[k + 1]).cost) / unit;
      goals.push_back(cells[k]);
      rest.push_back(nearest ? 0 : left);
    }
    PathTask detour = task;
    detour.goals = goals;
    detour.goal_costs = rest;
    CellPath found;
    size_t start = first;
    if (!goals.empty()) {
      detour.starts = cells.subspan(start, 1);
      found = finder.path(detour);
      if (!found.reached && start > at) {
        // A one-way move may have been the mistake: from where one is there can be another way.
        start = at;
        detour.starts = cells.subspan(start, 1);
        found = finder.path(detour);
      }
    }
    mended.path.expanded = found.expanded;
    mended.head = static_cast<int32_t>(start - at + 1);
    for (size_t k = at; k <= start; ++k) append(graph, mended.path, cells[k]);
    if (found.reached) {
      for (size_t k = 1; k < found.cells.size(); ++k) append(graph, mended.path, found.cells[k]);
      size_t joint = behind;
      while (cells[joint] != found.cells.back()) ++joint;
      mended.tail = static_cast<int32_t>(cells.size() - joint);
      for (size_t k = joint + 1; k < cells.size(); ++k) append(graph, mended.path, cells[k]);
      mended.path.reached = true;
    }
    mended.path.exhausted = found.exhausted;
  }
  double cost = 0;
  for (size_t k = 0; k + 1 < mended.path.cells.size(); ++k)
    cost += static_cast<double>(
        move_between(graph, mended.path.cells[k], mended.path.cells[k + 1]).cost);
  mended.path.cost = mended.path.reached ? cost / unit : kInfinity;
  return mended;
}

}  // namespace surefoot::grid
