#include "footsteps/search.hpp"

#include <algorithm>

#include "geometry/checks.hpp"

namespace surefoot::footsteps {
namespace {

// The best first; of equals the one that has gone farther, then the earlier one.
struct Later {
  template <class Open>
  bool operator()(const Open& a, const Open& b) const {
    if (a.f != b.f) return a.f > b.f;
    if (a.g != b.g) return a.g < b.g;
    return a.node > b.node;
  }
};

constexpr int kFallbacks = 400;         // ends that are tried when the budget is spent
constexpr double kComingNear = 2.0;     // [m] of a goal
constexpr double kTurning = 2.5;        // [J/(kg rad)] that turning there costs, about
constexpr double kUp = 7, kUneven = 9;  // [J/(kg m)] up, and up or down: short, slow steps
constexpr double kRough = 1.2;          // of what is left: no guide knows what a step costs there
constexpr double kLevel = 0.05;         // [m] by which a goal may lie above or below the ground
constexpr double kStorey = 1.2;         // [m] likewise a way-point above or below who comes by
constexpr double kAcross = 0.6;         // [m] from a body to another one beside it
constexpr double kPi = 3.14159265358979323846;

// [J/kg] that going up or down by `rise` [m] costs beyond the way across, about.
double climbing(double rise) { return kUp * std::max(rise, 0.0) + kUneven * std::abs(rise); }

double turn_between(double a, double b) { return std::remainder(b - a, 2 * kPi); }

// Whether a body is at a way-point, or beside the way from it to the next one.
bool passed(const Carriers* carriers, const State& state, const WayPoint& point,
            const WayPoint& next, double near) {
  const State at = rebased(carriers, state, point.body, state.t);
  if (std::abs(point.z - at.z) > kStorey) return false;
  const double x = at.x - point.x, y = at.y - point.y;
  if (x * x + y * y <= near * near) return true;
  // Who is on what comes next has come by.
  if (point.body != next.body) return state.body == next.body;
  const double dx = next.x - point.x, dy = next.y - point.y;
  const double along = x * dx + y * dy, length = dx * dx + dy * dy;
  if (along <= 0 || length <= 0) return false;
  const double share = std::min(along / length, 1.0);
  return std::hypot(x - share * dx, y - share * dy) <= near;
}

void check_errand(const Errand& errand, const StepTable& table) {
  check_state(errand.start, "start");
  check_index(errand.action, table.actions.size(), "action");
  require(!errand.way.empty(), "an errand needs a point to go to");
  for (const WayPoint& point : errand.way) {
    check_position({point.x, point.y, point.z}, "way-point");
    check_finite(point.toll, "toll");
  }
  check_size(errand.tolerance, "tolerance");
  require(std::isnan(errand.heading) || std::isfinite(errand.heading), "heading is ",
          errand.heading, "; it must be finite, or NaN for any");
  require(!(std::isnan(errand.heading_tolerance) || std::isnan(errand.earliest) ||
            std::isnan(errand.latest)),
          "the heading's tolerance and the times of an errand must be numbers");
  require(errand.earliest < kInfinity, "earliest is infinite");
}

uint64_t mixed(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ull;
  return x ^ (x >> 32);
}

}  // namespace

Searcher::Searcher(const StepTable& table, const Guide* guide, const SearchSettings& settings)
    : table_(table), guide_(guide), settings_(settings) {
  check_number(settings.weight, "weight", 1, kMaxSize);
  check_size(settings.way_point, "way_point");
  check_size(settings.merge, "merge");
  if (settings.merge > 0) {
    require(settings.merge_turn > 0 && settings.merge_time > 0,
            "merge_turn and merge_time must be above 0 where states are merged");
    check_number(settings.merge, "merge", 1e-6, kMaxSize);
    check_number(settings.merge_turn, "merge_turn", 1e-6, kMaxSize);
    check_number(settings.merge_time, "merge_time", 1e-6, kMaxTime);
  }
  check_number(settings.first_weight, "first_weight", 0, kMaxSize);
  require(settings.first_weight <= settings.weight || settings.weight_step > 0, "weight_step is ",
          settings.weight_step, "; it must be above 0");
}

void Searcher::reset(const Errand& errand) {
  nodes_.clear();
  open_.clear();
  waiting_.clear();
  sound_.clear();
  best_ = Best();
  round_ = 0;
  weight_ = std::max(settings_.first_weight, settings_.weight);
  left_.assign(errand.way.size(), 0.0);
  climb_.assign(errand.way.size(), 0.0);
  for (size_t i = errand.way.size() - 1; i-- > 0;) {
    const WayPoint a = errand.way[i], b = errand.way[i + 1];
    // From body to body is a step, made where they are close.
    const bool same = a.body == b.body;
    left_[i] = left_[i + 1] + (same ? std::hypot(b.x - a.x, b.y - a.y) : kAcross);
    climb_[i] = climb_[i + 1] + (same ? climbing(b.z - a.z) : 0.0) + b.toll;
  }
  if (settings_.merge > 0) {
    if (slots_.empty()) slots_.resize(1 << 12);
    known_ = 0;
    if (++stamp_ == 0) {
      for (Slot& slot : slots_) slot.stamp = 0;
      stamp_ = 1;
    }
  }
}

// Twice the room for states that are known; what is of other searches is left behind.
void Searcher::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.stamp != stamp_) continue;
    size_t i = slot.key & mask;
    while (slots_[i].stamp == stamp_) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

// What is left of the effort, at least: without a guide the optimal effort over the distance (5.3)
// and what the last action still needs to come to rest. That is at most the true effort, so with a
// weight of 1 the best plan is found.
double Searcher::estimate(const Errand& errand, const State& state, int32_t action,
                          int32_t way_point) const {
  const WayPoint target = errand.way[static_cast<size_t>(way_point)];
  const State at = rebased(errand.carriers, state, target.body, state.t);
  const double x = target.x - at.x, y = target.y - at.y, beyond = left_[way_point];
  const double away = std::sqrt(x * x + y * y) + beyond;
  if (guide_ != nullptr) {
    // Who is to face a certain way at the goal had better think of it when coming near.
    double turn = 0;
    if (away < kComingNear && !std::isnan(errand.heading) && target.body == errand.way.back().body)
      turn = kTurning * (1 - away / kComingNear) *
             std::max(std::abs(turn_between(at.heading, errand.heading)) - errand.heading_tolerance,
                      0.0);
    const double level =
        guide_->cost(action, at.cosine * x + at.sine * y, at.cosine * y - at.sine * x, beyond);
    if (!errand.rough) return turn + level;
    return kRough * (turn + level + climbing(target.z - at.z) + target.toll + climb_[way_point]);
  }
  return table_.price * std::max(away - errand.tolerance, 0.0) + table_.actions[action].excess;
}

bool Searcher::arrived(const Errand& errand, const Node& node) const {
  if (!table_.actions[node.action].stands) return false;
  const WayPoint goal = errand.way.back();
  if (node.at.body != goal.body) return false;
  if (std::hypot(goal.x - node.at.x, goal.y - node.at.y) > errand.tolerance) return false;
  if (std::abs(goal.z - node.at.z) > kLevel + errand.tolerance) return false;
  if (node.at.t > errand.latest) return false;
  return std::isnan(errand.heading) ||
         std::abs(turn_between(node.at.heading, errand.heading)) <= errand.heading_tolerance;
}

uint64_t Searcher::key(const Node& node) const {
  const auto cell = [](double x, double size) {
    return static_cast<uint64_t>(static_cast<int64_t>(std::floor(x / size)));
  };
  uint64_t key = mixed(cell(node.at.x, settings_.merge));
  key = mixed(key ^ cell(node.at.y, settings_.merge));
  key = mixed(key ^ cell(std::remainder(node.at.heading, 2 * kPi), settings_.merge_turn));
  key = mixed(key ^ cell(node.at.t, settings_.merge_time));
  if (node.at.body >= 0) key = mixed(key ^ static_cast<uint64_t>(node.at.body + 1));
  return mixed(key ^ static_cast<uint64_t>(table_.actions[node.action].kind));
}

// What is known of states with a key: a free slot where nothing is.
Searcher::Slot* Searcher::slot(uint64_t key) {
  const size_t mask = slots_.size() - 1;
  size_t i = key & mask;
  while (slots_[i].stamp == stamp_ && slots_[i].key != key) i = (i + 1) & mask;
  return &slots_[i];
}

Searcher::Seen Searcher::seen(const Node& node) {
  if (settings_.merge <= 0) return Seen::kNew;
  const uint64_t own = key(node);
  Slot* known = slot(own);
  if (known->stamp != stamp_) {
    *known = {own, node.g, stamp_, -1};
    if (2 * ++known_ > slots_.size()) grow();
    return Seen::kNew;
  }
  if (known->g <= node.g) return Seen::kWorse;
  known->g = node.g;
  return known->round == round_ ? Seen::kExpanded : Seen::kBetter;
}

void Searcher::push(Node node) {
  open_.push_back({node.g + weight_ * node.h, node.g, static_cast<int32_t>(nodes_.size())});
  nodes_.push_back(node);
  std::push_heap(open_.begin(), open_.end(), Later());
}

// For the next round: within one, no state is expanded twice.
void Searcher::wait(Node node) {
  waiting_.push_back(static_cast<int32_t>(nodes_.size()));
  nodes_.push_back(node);
}

void Searcher::reopen() {
  for (Open& open : open_) open.f = open.g + weight_ * nodes_[open.node].h;
  for (const int32_t node : waiting_)
    open_.push_back({nodes_[node].g + weight_ * nodes_[node].h, nodes_[node].g, node});
  waiting_.clear();
  // What cannot lead to anything better is left behind.
  std::erase_if(open_,
                [&](const Open& open) { return open.g + nodes_[open.node].h >= best_.total; });
  std::make_heap(open_.begin(), open_.end(), Later());
  ++round_;
}

int32_t Searcher::pop() {
  std::pop_heap(open_.begin(), open_.end(), Later());
  const int32_t node = open_.back().node;
  open_.pop_back();
  return node;
}

void Searcher::expand(const Errand& errand, int32_t index, Found& found) {
  const Node from = nodes_[index];
  const int32_t first = table_.offsets[from.action];
  const std::span<const int32_t> next = table_.after(from.action, errand.rough);
  const auto last_point = static_cast<int32_t>(errand.way.size()) - 1;
  for (size_t i = 0; i < next.size(); ++i) {
    const Action& action = table_.actions[next[i]];
    Node to;
    to.at = moved(from.at, action);
    if (to.at.t > errand.latest) continue;
    to.action = next[i];
    to.parent = index;
    to.depth = from.depth + 1;
    to.g = from.g + action.effort + static_cast<double>(table_.changes[first + i]);
    to.way_point = from.way_point;
    while (to.way_point < last_point) {
      const WayPoint* p = &errand.way[static_cast<size_t>(to.way_point)];
      if (!passed(errand.carriers, to.at, p[0], p[1], settings_.way_point)) break;
      ++to.way_point;
    }
    const Seen seen = this->seen(to);
    if (seen == Seen::kWorse) continue;
    to.h = estimate(errand, to.at, to.action, to.way_point);
    if (to.g + to.h >= best_.total) continue;
    ++found.generated;
    // A search that is made once only has no later round to wait for.
    if (seen == Seen::kExpanded && weight_ > settings_.weight)
      wait(to);
    else
      push(to);
  }
}

bool Searcher::stop(const Errand& errand, const Node& node, bool there, Surroundings& around,
                    Found& tail) const {
  tail.actions.clear();
  tail.ends.clear();
  tail.treads.clear();
  State at = node.at;
  int32_t action = node.action;
  // Who comes to the goal too early waits there.
  while (!table_.actions[action].stands || (there && at.t < errand.earliest)) {
    action = table_.actions[action].stop;
    State to = moved(at, table_.actions[action]);
    Treads treads;
    if (!around.free(at, action, to, treads)) return false;
    at = to;
    tail.actions.push_back(action);
    tail.ends.push_back(to);
    tail.treads.push_back(treads);
  }
  return around.stays(at, action);
}

void Searcher::take(int32_t index, const Found& tail, Found& found) const {
  const Node& end = nodes_[index];
  for (int32_t i = index; nodes_[i].parent >= 0; i = nodes_[i].parent) {
    found.actions.push_back(nodes_[i].action);
    found.ends.push_back(nodes_[i].at);
    found.treads.push_back(nodes_[i].treads);
  }
  std::reverse(found.actions.begin(), found.actions.end());
  std::reverse(found.ends.begin(), found.ends.end());
  std::reverse(found.treads.begin(), found.treads.end());
  found.chosen = static_cast<int32_t>(found.actions.size());
  found.actions.insert(found.actions.end(), tail.actions.begin(), tail.actions.end());
  found.ends.insert(found.ends.end(), tail.ends.begin(), tail.ends.end());
  found.treads.insert(found.treads.end(), tail.treads.begin(), tail.treads.end());
  found.cost = end.g;
  found.left = end.h;
}

void Searcher::improve(const Errand& errand, Surroundings& around, Found& found) {
  Found tail;
  while (!open_.empty()) {
    if (best_.node >= 0) {
      const Node& best = nodes_[best_.node];
      if (open_.front().f >= best.g + weight_ * best.h) return;
    }
    if (found.expanded >= errand.budget) {
      found.exhausted = true;
      return;
    }
    const int32_t index = pop();
    if (nodes_[index].g + nodes_[index].h >= best_.total) continue;
    ++found.expanded;
    if (nodes_[index].parent >= 0) {
      const Node& parent = nodes_[nodes_[index].parent];
      if (!around.free(parent.at, nodes_[index].action, nodes_[index].at, nodes_[index].treads)) {
        ++found.refused;
        continue;
      }
      nodes_[index].g += static_cast<double>(nodes_[index].treads.effort);
      if (nodes_[index].g + nodes_[index].h >= best_.total) continue;
    }
    const Node& node = nodes_[index];
    const bool there = arrived(errand, node);
    const bool far_enough = errand.horizon > 0 && node.depth >= errand.horizon;
    if ((there || far_enough) && stop(errand, node, there, around, tail)) {
      best_ = {index, node.g + node.h, there, tail};
      continue;
    }
    if (far_enough) continue;
    sound_.emplace_back(node.h, index);
    if (settings_.merge > 0) slot(key(node))->round = round_;
    expand(errand, index, found);
  }
}

void Searcher::fall_back(const Errand& errand, Surroundings& around, Found& found) {
  Found tail;
  std::stable_sort(sound_.begin(), sound_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  int tries = 0;
  for (const auto& [h, index] : sound_) {
    if (++tries > kFallbacks) break;
    if (!stop(errand, nodes_[index], false, around, tail)) continue;
    take(index, tail, found);
    return;
  }
  // Where it is, if it is at rest there, or where it stops as it was going to.
  if (!sound_.empty() && stop(errand, nodes_[0], false, around, tail)) {
    take(0, tail, found);
    return;
  }
  found.stuck = true;
}

Found Searcher::search(const Errand& errand, Surroundings& around) {
  check_errand(errand, table_);
  Found found;
  reset(errand);
  Node start{errand.start, {}, 0, 0, -1, errand.action, 0, 0};
  start.h = estimate(errand, start.at, start.action, 0);
  push(start);
  while (true) {
    improve(errand, around, found);
    if (found.exhausted) break;
    const bool all = open_.empty() && waiting_.empty();
    if (best_.node >= 0) found.bound = all ? 1.0 : weight_;
    if (all || weight_ <= settings_.weight) break;
    weight_ = std::max(settings_.weight, weight_ - settings_.weight_step);
    reopen();
  }
  if (best_.node < 0) {
    fall_back(errand, around, found);
    return found;
  }
  take(best_.node, best_.tail, found);
  found.reached = best_.reached;
  return found;
}

}  // namespace surefoot::footsteps
