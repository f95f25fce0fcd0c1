// The way on one surface: A* in space and time, with changes of posture and waits, to the nearest
// of several targets (lopez2012, 4.3).
//
// Verdicts against what is at rest are kept from search to search, and forgotten where something
// comes to rest or wakes: planning again costs what has changed (section 5).
#include <queue>
#include <unordered_set>

#include "topology/atlas.hpp"

namespace surefoot::topology {
namespace {

struct State {
  int node, skill;
  double time, cost;
  int parent;
  Vec3 position;
  uint8_t* memory;  // what is known of the way here against bodies at rest
};

}  // namespace

Found Atlas::search(const Search& asked) {
  check_surface(asked.surface);
  check_index(asked.skill, skills_.size(), "skill");
  Found found;
  const Surface& surface = surfaces_[asked.surface];
  if (!surface.alive || asked.targets.empty()) return found;
  const int body = surface.body;
  Thing& carrier = things_[body];
  const Roadmap& roadmap = *carrier.roadmap;
  const auto& nodes = roadmap.nodes();
  double fastest = 0;
  for (const Skill& s : skills_) fastest = std::max(fastest, s.speed);
  const auto left = [&](Vec3 p) {
    double least = kInfinity;
    for (const int target : asked.targets)
      least = std::min(least, length(nodes[target].position - p));
    return least / fastest;
  };
  std::vector<uint8_t> wanted(nodes.size(), 0);
  for (const int target : asked.targets) wanted[target] = 1;

  std::vector<State> states;
  using Entry = std::pair<double, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  // Moments at which a configuration was reached, per skill; later ones only where waiting may
  // have been of use.
  std::unordered_set<int64_t> reached;
  const double horizon = now_ + settings_.ahead;
  const auto key = [&](int node, int skill, double time) {
    const double within = std::min(time, horizon);
    const auto slot = static_cast<int64_t>((within - asked.time) / asked.wait + 1e-9);
    return (static_cast<int64_t>(node + 1) * 8 + skill) * 4096 + std::min<int64_t>(slot, 4095);
  };
  // Ways are looked at when it is their turn: most never are.
  const auto push = [&](const State& state) {
    if (reached.contains(key(state.node, state.skill, state.time))) return;
    states.push_back(state);
    open.emplace(state.cost + left(state.position), static_cast<int>(states.size()) - 1);
  };

  world_->bare([&](Snapshot& view) {
    // Between two positions from `time` on; `memory` holds what is known of bodies at rest.
    const auto passes = [&](Vec3 a, Vec3 b, double time, double lasts, int skill, uint8_t* memory) {
      if (!asked.obstacles) return true;
      const double times[2] = {time, time + std::max(lasts, 1e-3)};
      const Vec3 positions[2] = {a, b};
      const Shape& shape = skills_[skill].shape;
      if (memory && !carrier.awake) {
        if (*memory == 0)
          *memory = clear(view, body, times, positions, shape, body, Among::kResting, nullptr,
                          &found.effort)
                        ? 1
                        : 2;
        if (*memory == 2) return false;
        if (time > horizon)
          return clear(view, body, times, positions, shape, body, Among::kTrembling, nullptr,
                       &found.effort);
      }
      return clear(view, body, times, positions, shape, body, Among::kAll, nullptr, &found.effort);
    };

    // Whether the way to a state is free: a change of posture first, where there is one.
    const auto free = [&](const State& state) {
      if (state.parent < 0) return true;
      const State& from = states[state.parent];
      double time = from.time;
      if (state.skill != from.skill) {
        // It takes room for both, and time.
        for (const int skill : {from.skill, state.skill})
          if (!passes(from.position, from.position, time, asked.change, skill, nullptr))
            return false;
        time += asked.change;
      }
      return passes(from.position, state.position, time, state.time - time, state.skill,
                    state.memory);
    };

    push({-1, asked.skill, asked.time, 0, -1, asked.start, nullptr});
    int best = -1;
    double nearest = kInfinity;
    while (!open.empty() && found.expanded < asked.most_nodes) {
      const int index = open.top().second;
      open.pop();
      const State state = states[index];
      if (reached.contains(key(state.node, state.skill, state.time)) || !free(state)) continue;
      reached.insert(key(state.node, state.skill, state.time));
      ++found.expanded;
      const double to_go = left(state.position);
      if (to_go < nearest) nearest = to_go, best = index;
      if (state.node >= 0 && wanted[state.node]) {
        best = index;
        found.reached = true;
        break;
      }
      const auto go = [&](int to, double away, uint8_t skills, uint8_t* memory) {
        for (size_t k = 0; k < skills_.size(); ++k) {
          if (!(skills >> k & 1)) continue;
          const int skill = static_cast<int>(k);
          double time = state.time;
          if (skill != state.skill) {
            // Where one can be in either posture.
            const bool both = state.node < 0 || ((nodes[state.node].skills >> state.skill & 1) &&
                                                 (nodes[state.node].skills >> k & 1));
            if (!both) continue;
            time += asked.change;
          }
          const double arrives = time + away / skills_[k].speed;
          push({to, skill, arrives, arrives - asked.time, index, nodes[to].position,
                memory ? memory + k : nullptr});
        }
      };
      if (state.node < 0) {
        // From where one stands to configurations around.
        const double far = 1.8 * roadmap.spacing();
        const Vec3 half{far, far, far};
        roadmap.visit({state.position - half, state.position + half}, [&](int node) {
          if (nodes[node].surface == surface.part)
            go(node, length(nodes[node].position - state.position), nodes[node].skills, nullptr);
        });
      } else {
        for (const Edge& edge : roadmap.edges(state.node))
          go(edge.to, edge.length, edge.skills, &carrier.known[edge.id * skills_.size()]);
      }
      // Waiting, as long as anybody can tell what for.
      if (state.time + asked.wait < horizon)
        push({state.node, state.skill, state.time + asked.wait, state.cost + asked.wait * 1.001,
              index, state.position, nullptr});
    }
    for (int i = best; i >= 0; i = states[i].parent)
      found.steps.push_back({states[i].node, states[i].position, states[i].time, states[i].skill});
    std::reverse(found.steps.begin(), found.steps.end());
  });
  return found;
}

}  // namespace surefoot::topology
