// Which surfaces to cross: Dijkstra on what can be used of the graph (lopez2012, 4.3).
#include <queue>

#include "topology/atlas.hpp"

namespace surefoot::topology {
namespace {

constexpr double kStable = 0.05;  // [s] that a relation costs that is always valid

}  // namespace

double Atlas::price(int index, const Daring& daring, std::span<const int> shut) const {
  const Relation& r = relations_[index];
  // Nobody has found a way through, or it is too risky.
  if (r.found == 0 || !surfaces_[r.to].alive) return kInfinity;
  if (std::find(shut.begin(), shut.end(), index) != shut.end()) return kInfinity;
  // What lies still against each other stays so, however it came there.
  if ((r.valid && at_rest(r)) || r.stable()) return kStable;
  if (r.mean_speed() > daring.max_speed || r.mean_valid(now_) < daring.min_valid) return kInfinity;
  // What happened once may never happen again: the longer ago, the dearer.
  double out = kStable + r.mean_valid(now_) + r.mean_invalid(now_);
  if (!r.valid) out += std::max(0.0, now_ - r.since - r.mean_invalid(now_));
  return out;
}

std::vector<int> Atlas::route(int from, int to, const Daring& daring, std::span<const int> shut,
                              bool& reached) const {
  check_surface(from);
  check_surface(to);
  std::vector<double> cost(surfaces_.size(), kInfinity);
  std::vector<int> by(surfaces_.size(), -1);
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  cost[from] = 0;
  open.emplace(0.0, from);
  while (!open.empty()) {
    const auto [so_far, s] = open.top();
    open.pop();
    if (so_far > cost[s]) continue;
    if (s == to) break;
    for (const int index : surfaces_[s].out) {
      const Relation& r = relations_[index];
      const double asked = price(index, daring, shut);
      if (so_far + asked < cost[r.to]) {
        cost[r.to] = so_far + asked;
        by[r.to] = index;
        open.emplace(cost[r.to], r.to);
      }
    }
  }
  std::vector<int> out;
  reached = cost[to] < kInfinity;
  if (!reached) return out;
  for (int s = to; s != from; s = relations_[by[s]].from) out.push_back(by[s]);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace surefoot::topology
