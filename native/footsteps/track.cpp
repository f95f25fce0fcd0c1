#include "footsteps/track.hpp"

#include <algorithm>

#include "geometry/checks.hpp"

namespace surefoot::footsteps {
namespace {

// [s] of a plan, at most: where a body is is kept for every moment of it.
constexpr double kLongest = 1e5;
constexpr double kCovered = 30;  // [s] for which what holds a body is known ahead

}  // namespace

void pose(const StepTable& table, const State& from, const State& to, int32_t action, double u,
          Figure out) {
  const double at = std::clamp(u, 0.0, 1.0) * (kSamples - 1);
  const int i = std::min(static_cast<int>(at), kSamples - 2);
  const auto share = static_cast<float>(at - i);
  const int32_t shape = table.actions[action].shape;
  const Point *a = table.figure(shape, i), *b = table.figure(shape, i + 1);
  const Warp warp(from, to, table.actions[action]);
  Figure between;
  for (int p = 0; p < kPoints; ++p)
    between[p] = {a[p].x + share * (b[p].x - a[p].x), a[p].y + share * (b[p].y - a[p].y),
                  a[p].z + share * (b[p].z - a[p].z)};
  for (int p = 0; p < kPoints; ++p)
    out[p] = placed(from, warp, between, p, static_cast<float>(std::clamp(u, 0.0, 1.0)));
}

void check_staging(const Staging& staging, const StepTable& table) {
  require(staging.reel != nullptr, "playing steps needs a reel");
  check_count(staging.reel->pieces.size(), "the reel", table.actions.size(), "the step table");
  check_index(staging.stand, staging.reel->pieces.size(), "stand");
  check_number(staging.blend, "blend", 0, kMaxTime);
}

Track::Track(std::shared_ptr<const StepTable> table, const State& start,
             std::vector<int32_t> actions, std::span<const State> ends, std::vector<Treads> treads,
             const World* world)
    : table_(std::move(table)), actions_(std::move(actions)), treads_(std::move(treads)) {
  require(table_ != nullptr, "a track needs a step table");
  require(!actions_.empty(), "a track needs an action");
  check_indices(std::span<const int32_t>(actions_), table_->actions.size(), "actions");
  if (!ends.empty()) check_count(ends.size(), "ends", actions_.size(), "the actions");
  treads_.resize(actions_.size());
  states_.reserve(actions_.size() + 1);
  states_.push_back(start);
  for (size_t i = 0; i < actions_.size(); ++i) {
    states_.push_back(i < ends.size() ? ends[i]
                                      : moved(states_.back(), table_->actions[actions_[i]]));
  }
  for (const State& state : states_) check_state(state, "a state");
  for (size_t i = 0; i + 1 < states_.size(); ++i)
    require(states_[i].t < states_[i + 1].t, "action ", i, " ends at ", states_[i + 1].t,
            " s, no later than it begins (", states_[i].t, " s)");
  const double lasts = this->end() - this->start();
  require(lasts <= kLongest, "a track lasts ", lasts, " s; it may last ", kLongest, " s");
  const auto carry = [&](int32_t body) {
    if (body < 0 || world == nullptr) return;
    for (const auto& [known, _] : carried_by_)
      if (known == body) return;
    carried_by_.emplace_back(body, world->trajectory(body));
    require(carried_by_.back().second != nullptr, "body ", body, " is gone");
  };
  for (const State& state : states_) carry(state.body), carry(state.on[0]), carry(state.on[1]);
  look();
}

Pose Track::pose(int32_t body, double t) const {
  for (const auto& [known, trajectory] : carried_by_)
    if (known == body) return trajectory->pose(t);
  return {{}, {1, 0, 0, 0}};
}

bool Track::stale(const World& world) const {
  return std::any_of(carried_by_.begin(), carried_by_.end(), [&](const auto& one) {
    // What is gone stays as it was known.
    const TrajectoryPtr now = world.trajectory(one.first);
    return now != nullptr && now != one.second;
  });
}

const Sight& Track::carried_on(int64_t moment, Sight& spare) const {
  // From where it is seen last, along with what carries it.
  const double then = static_cast<double>(last_moment()) / kRate;
  const int32_t body = end_body();
  const Spot origin = rebased(this, Spot{0, 0, 0, 0, -1}, body, then);
  const LevelPose by = LevelPose::of(in_world(this, origin, static_cast<double>(moment) / kRate));
  const Sight& last = sights_.back();
  for (int p = 0; p < kPoints; ++p) spare.points[p] = by(last.points[p]);
  spare.girth = last.girth;
  return spare;
}

size_t Track::index(double t) const {
  const auto later = std::upper_bound(states_.begin(), states_.end(), t,
                                      [](double time, const State& s) { return time < s.t; });
  const auto i = static_cast<size_t>(std::max<ptrdiff_t>(later - states_.begin() - 1, 0));
  return std::min(i, actions_.size() - 1);
}

State Track::at(double t) const {
  const size_t i = index(t);
  const double u = std::clamp((t - states_[i].t) / (states_[i + 1].t - states_[i].t), 0.0, 1.0);
  if (u >= 1 && rides() && i + 1 == actions_.size()) {
    State s = rebased(this, states_.back(), -1, t);
    s.t = t;
    return s;
  }
  const State a = rebased(carriers(), states_[i], -1, t),
              b = rebased(carriers(), states_[i + 1], -1, t);
  State s = facing(a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z),
                   a.heading + u * (b.heading - a.heading), t);
  return s;
}

void Track::seen(double t, Figure out) const {
  check_time(t, "t");
  const double at = t * kRate;
  const auto k = static_cast<int64_t>(std::floor(at));
  const auto u = static_cast<float>(at - static_cast<double>(k));
  Sight spare[2];
  const Figure &a = sight(k, spare[0]).points, &b = sight(k + 1, spare[1]).points;
  for (int p = 0; p < kPoints; ++p)
    out[p] = {a[p].x + u * (b[p].x - a[p].x), a[p].y + u * (b[p].y - a[p].y),
              a[p].z + u * (b[p].z - a[p].z)};
}

void Track::cover(double t) {
  if (!rides() || t <= covered_) return;
  constexpr double kStep = 0.25;  // [s]
  const double until = t + kCovered;
  for (; covered_ < until; covered_ += kStep) {
    Sight spare;
    const auto moment = static_cast<int64_t>(std::ceil(covered_ * kRate));
    const Point p = sight(moment, spare).points[kRoot];
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), 0};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), 0};
  }
}

void Track::look() {
  first_ = static_cast<int64_t>(std::floor(start() * kRate));
  const auto last = static_cast<int64_t>(std::ceil(end() * kRate));
  sights_.resize(static_cast<size_t>(last - first_) + 1);
  float pace = 0;
  for (size_t k = 0; k < sights_.size(); ++k) {
    const double t = static_cast<double>(first_ + static_cast<int64_t>(k)) / kRate;
    const size_t i = index(t);
    const double u = (t - states_[i].t) / (states_[i + 1].t - states_[i].t);
    Figure& points = sights_[k].points;
    const State& from = states_[i];
    const State to = rebased(carriers(), states_[i + 1], from.body, states_[i + 1].t);
    footsteps::pose(*table_, from, to, actions_[i], u, points);
    if (from.body >= 0) {
      const LevelPose by = LevelPose::of(in_world(this, Spot{0, 0, 0, 0, from.body}, t));
      for (Point& point : points) point = by(point);
    }
    const Action& action = table_->actions[actions_[i]];
    pace = std::max(pace, action.pace);
    // Where two actions meet, bodies of both are seen.
    const size_t near = u < 0.5 ? (i > 0 ? i - 1 : i) : std::min(i + 1, actions_.size() - 1);
    sights_[k].girth = std::max(action.girth, table_->actions[actions_[near]].girth);
    const Point p = points[kRoot];
    if (k == 0) low_ = high_ = p;
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), 0};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), 0};
  }
  stride_ = pace / static_cast<float>(kRate);
  covered_ = end();
  cover(end() + 1);
}

}  // namespace surefoot::footsteps
