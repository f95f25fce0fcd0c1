#include "grid/cell_graph.hpp"

namespace surefoot::grid {

Distance CellGraph::distance_for(const Moves& moves, const CellCosts& costs) {
  bool priced = !costs.prices.empty();
  for (const Action& action : moves.actions()) priced |= action.price != 1;
  return {costs.metric, costs.connectivity, moves.voxels().lattice().cell, priced};
}

CellGraph::CellGraph(const Moves& moves, const CellCosts& costs, std::span<const Seed> goals,
                     bool guided)
    : moves_(moves),
      costs_(costs),
      distance_(distance_for(moves, costs)),
      plain_(costs.prices.empty()),
      guided_(guided && !goals.empty()) {
  require<GridError>(costs.connectivity == 4 || costs.connectivity == 8, "connectivity is ",
                     costs.connectivity, "; it must be 4 or 8");
  const std::vector<Action>& actions = moves.actions();
  least_price_ = kInfinity;
  for (const Action& action : actions) least_price_ = std::min(least_price_, action.price);
  for (size_t a = 0; a < actions.size(); ++a) {
    level_[0][a] = distance_.move(1, 0, 0, actions[a].price);
    level_[1][a] = distance_.move(1, 1, 0, actions[a].price);
    int lower = 0;
    for (const Action& other : actions) lower += other.priority < actions[a].priority;
    for (int kind = 0; kind < 4; ++kind) ranks_[a | kind << 4] = 4 * lower + kind;
  }
  if (goals.empty()) return;
  low_ = high_ = place(goals.front().cell);
  least_goal_ = kFar;
  for (const Seed& goal : goals) {
    const Place at = place(goal.cell);
    low_ = {std::min(low_.i, at.i), std::min(low_.j, at.j), std::min(low_.z, at.z)};
    high_ = {std::max(high_.i, at.i), std::max(high_.j, at.j), std::max(high_.z, at.z)};
    least_goal_ = std::min(least_goal_, goal.cost);
    goals_.push_back(goal.cell);
  }
  std::sort(goals_.begin(), goals_.end());
}

}  // namespace surefoot::grid
