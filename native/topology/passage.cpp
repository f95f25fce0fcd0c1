// Around what obstructs a surface, by way of others: A* over the configurations of all surfaces.
//
// The graph of surfaces takes each for one whole. Where what fell on a floor parts it in two, the
// way from the one part to the other leads over what fell (lopez2012, 3.4: an obstruction
// invalidates parts of a roadmap).
#include <queue>

#include "topology/atlas.hpp"

namespace surefoot::topology {
namespace {

constexpr int kMost = 60000;  // configurations that are looked at

struct State {
  int body, node, skill;  // node: -1 for the start
  double cost;
  int parent;
  Hop hop;         // by which it was reached; relation -1 on foot on the same surface
  uint8_t* known;  // of the way here, or the landing, against bodies at rest
};

}  // namespace

Passage Atlas::passage(const Search& asked, int goal, const Daring& daring,
                       std::span<const int> shut, std::span<const Hop> spent) {
  check_surface(asked.surface);
  check_surface(goal);
  check_index(asked.skill, skills_.size(), "skill");
  Passage out;
  const Surface& here = surfaces_[asked.surface];
  const Surface& there = surfaces_[goal];
  if (!here.alive || !there.alive || asked.targets.empty()) return out;
  const int skill_count = static_cast<int>(skills_.size());
  std::vector<int> first(things_.size() + 1, 0);
  for (int id = 0; id < thing_count(); ++id)
    first[id + 1] =
        first[id] +
        (things_[id].roadmap ? static_cast<int>(things_[id].roadmap->nodes().size()) : 0);
  std::vector<uint8_t> closed(static_cast<size_t>(first.back()) * skill_count, 0);
  std::vector<uint8_t> listed(surfaces_.size(), 0);
  // Jumps that leave each configuration, listed when its surface is first come to.
  std::vector<std::vector<std::pair<Hop, double>>> leaving(first.back());
  const auto list = [&](int surface) {
    if (listed[surface]) return;
    listed[surface] = 1;
    const int offset = first[surfaces_[surface].body];
    for (const int index : surfaces_[surface].out) {
      const double asks = price(index, daring, shut);
      if (asks == kInfinity) continue;
      for (const Jump& jump : relations_[index].jumps) {
        const Hop hop{index, jump.from, jump.to};
        const bool tired = std::any_of(spent.begin(), spent.end(), [&](const Hop& s) {
          return s.relation == hop.relation && s.from == hop.from && s.to == hop.to;
        });
        if (!tired) leaving[offset + jump.from].emplace_back(hop, asks + jump.lasts);
      }
    }
  };

  double fastest = leap_.horizontal;
  for (const Skill& s : skills_) fastest = std::max(fastest, s.speed);
  Box ends;
  std::vector<uint8_t> wanted(things_[there.body].roadmap->nodes().size(), 0);
  for (const int target : asked.targets) {
    wanted[target] = 1;
    ends.include(
        things_[there.body].frame.apply(things_[there.body].roadmap->nodes()[target].position));
  }
  const auto at = [&](const State& s) {
    const Thing& thing = things_[s.body];
    return thing.frame.apply(s.node < 0 ? asked.start : thing.roadmap->nodes()[s.node].position);
  };
  std::vector<State> states;
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  const auto slot = [&](int body, int node, int skill) {
    return static_cast<size_t>(first[body] + node) * skill_count + skill;
  };
  const auto push = [&](const State& state) {
    if (state.node >= 0 && closed[slot(state.body, state.node, state.skill)]) return;
    const Vec3 p = at(state);
    const double left = length(max(max(ends.lo - p, p - ends.hi), Vec3{}));
    states.push_back(state);
    open.emplace(state.cost + left / fastest, static_cast<int>(states.size()) - 1);
  };

  const bool trembling = std::any_of(things_.begin(), things_.end(),
                                     [](const Thing& t) { return t.alive && t.trembles(); });
  world_->bare([&](Snapshot& view) {
    const auto clear_of = [&](Among among, int body, Vec3 a, Vec3 b, int skill) {
      const double lasts = length(b - a) / skills_[skill].speed;
      const double times[2] = {now_, now_ + std::max(lasts, 1e-3)};
      const Vec3 positions[2] = {a, b};
      return clear(view, body, times, positions, skills_[skill].shape, body, among, nullptr,
                   &out.effort);
    };
    // Whether what lies there leaves room on the way to a state; what moves will pass.
    const auto free = [&](const State& state) {
      if (state.parent < 0) return true;
      const State& from = states[state.parent];
      const auto& nodes = things_[state.body].roadmap->nodes();
      const Vec3 end = nodes[state.node].position;
      const Vec3 start = state.hop.relation >= 0 ? end
                         : from.node < 0         ? asked.start
                                                 : nodes[from.node].position;
      uint8_t verdict = state.known && !things_[state.body].awake ? *state.known : 0;
      if (verdict == 0)
        verdict = clear_of(Among::kResting, state.body, start, end, state.skill) ? 1 : 2;
      if (state.known && !things_[state.body].awake) *state.known = verdict;
      return verdict == 1 &&
             (!trembling || clear_of(Among::kTrembling, state.body, start, end, state.skill));
    };

    push({here.body, -1, asked.skill, 0, -1, {}, nullptr});
    int last = -1;
    while (!open.empty() && out.expanded < kMost) {
      const int index = open.top().second;
      open.pop();
      const State state = states[index];
      if (state.node >= 0) {
        uint8_t& done = closed[slot(state.body, state.node, state.skill)];
        if (done || !free(state)) continue;
        done = 1;
      }
      ++out.expanded;
      Thing& carrier = things_[state.body];
      const auto& nodes = carrier.roadmap->nodes();
      if (state.node >= 0 && state.body == there.body && wanted[state.node]) {
        last = index;
        break;
      }
      const auto go = [&](int to, double away, uint8_t skills, uint8_t* known) {
        for (int k = 0; k < skill_count; ++k) {
          if (!(skills >> k & 1)) continue;
          double cost = state.cost + away / skills_[k].speed;
          if (k != state.skill) {
            if (state.node >= 0 && !((nodes[state.node].skills >> state.skill & 1) &&
                                     (nodes[state.node].skills >> k & 1)))
              continue;
            cost += asked.change;
          }
          push({state.body, to, k, cost, index, {}, known ? known + k : nullptr});
        }
      };
      if (state.node < 0) {
        const double far = 1.8 * carrier.roadmap->spacing();
        const Vec3 half{far, far, far};
        carrier.roadmap->visit({asked.start - half, asked.start + half}, [&](int node) {
          if (nodes[node].surface == here.part)
            go(node, length(nodes[node].position - asked.start), nodes[node].skills, nullptr);
        });
        continue;
      }
      for (const Edge& edge : carrier.roadmap->edges(state.node))
        go(edge.to, edge.length, edge.skills, &carrier.known[edge.id * skill_count]);
      if (state.skill != 0) continue;
      list(carrier.surfaces[nodes[state.node].surface]);
      for (const auto& [hop, asks] : leaving[first[state.body] + state.node]) {
        const int body = surfaces_[relations_[hop.relation].to].body;
        push({body, hop.to, 0, state.cost + asks, index, hop,
              &things_[body].room[hop.to * skill_count]});
      }
    }
    out.reached = last >= 0;
    for (int i = last; i >= 0; i = states[i].parent)
      if (states[i].hop.relation >= 0) out.hops.push_back(states[i].hop);
    std::reverse(out.hops.begin(), out.hops.end());
  });
  return out;
}

}  // namespace surefoot::topology
