#include "footsteps/track.hpp"

#include <algorithm>

namespace surefoot::footsteps {

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

Track::Track(std::shared_ptr<const StepTable> table, const State& start,
             std::vector<int32_t> actions, std::span<const State> ends, std::vector<Treads> treads)
    : table_(std::move(table)), actions_(std::move(actions)), treads_(std::move(treads)) {
  treads_.resize(actions_.size());
  states_.reserve(actions_.size() + 1);
  states_.push_back(start);
  for (size_t i = 0; i < actions_.size(); ++i) {
    states_.push_back(i < ends.size() ? ends[i]
                                      : moved(states_.back(), table_->actions[actions_[i]]));
  }
  look();
}

size_t Track::index(double t) const {
  const auto later = std::upper_bound(states_.begin(), states_.end(), t,
                                      [](double time, const State& s) { return time < s.t; });
  const auto i = static_cast<size_t>(std::max<ptrdiff_t>(later - states_.begin() - 1, 0));
  return std::min(i, actions_.size() - 1);
}

State Track::at(double t) const {
  const size_t i = index(t);
  const State &a = states_[i], &b = states_[i + 1];
  const double u = std::clamp((t - a.t) / (b.t - a.t), 0.0, 1.0);
  State s = facing(a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z),
                   a.heading + u * (b.heading - a.heading), t);
  return s;
}

void Track::seen(double t, Figure out) const {
  const double at = t * kRate;
  const auto k = static_cast<int64_t>(std::floor(at));
  const auto u = static_cast<float>(at - static_cast<double>(k));
  const Figure &a = sight(k).points, &b = sight(k + 1).points;
  for (int p = 0; p < kPoints; ++p)
    out[p] = {a[p].x + u * (b[p].x - a[p].x), a[p].y + u * (b[p].y - a[p].y),
              a[p].z + u * (b[p].z - a[p].z)};
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
    pose(*table_, states_[i], states_[i + 1], actions_[i], u, points);
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
}

}  // namespace surefoot::footsteps
