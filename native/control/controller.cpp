#include "control/controller.hpp"

#include "control/crossing.hpp"
#include "control/detour.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "math/checks.hpp"

namespace surefoot::control {
namespace {

constexpr double kNearLine = 1.2, kNearEnd = 1.8;  // [m]
constexpr double kSeen = 500.0;                    // [m]: obstacles farther away are none
constexpr double kForEver = 60.0;                  // [s]

}  // namespace

using learning::Between;
using learning::kMostAxes;
using learning::Relation;

Controller::Controller(std::shared_ptr<const Moves> moves,
                       std::shared_ptr<const learning::ValueIteration> learned,
                       std::vector<float> values, std::vector<int32_t> policy,
                       std::vector<int32_t> actions, Subject subject, std::vector<Source> sources,
                       Handover handover, Forbidden forbidden, Hurry hurry)
    : moves_(std::move(moves)),
      learned_(std::move(learned)),
      values_(std::move(values)),
      policy_(std::move(policy)),
      actions_(std::move(actions)),
      relation_(learned_->space().relation()),
      subject_(subject),
      sources_(std::move(sources)),
      handover_(std::move(handover)),
      forbidden_(std::move(forbidden)),
      hurry_(hurry),
      rate_(-std::log(hurry.discount)) {
  const size_t count = learned_->table().states * space().size();
  const size_t places =
      space().axis(0).size() * (space().dimensions() > 1 ? space().axis(1).size() : size_t{1});
  check_count(values_.size(), "values", count, "states x tasks");
  check_count(policy_.size(), "policy", count, "states x tasks");
  check_count(actions_.size(), "actions", learned_->table().actions, "the table's actions");
  check_indices(std::span<const int32_t>(actions_), moves_->actions(), "actions");
  for (const int32_t action : policy_)
    require(action >= -1 && action < static_cast<int32_t>(actions_.size()), "policy has action ",
            action, "; there are ", actions_.size(), ", and -1 for none");
  if (!forbidden_.depths.empty()) {
    check_count(forbidden_.depths.size(), "depths", actions_.size() * places, "actions x places");
    check_count(forbidden_.places, "places", places, "the first two axes");
  }
  check_index(static_cast<int32_t>(subject), 2, "subject");
  check_index(static_cast<int32_t>(handover_.when), 4, "when");
  for (const Source source : sources_) check_index(static_cast<int32_t>(source), 6, "source");
  require(hurry.discount > 0 && hurry.discount <= 1, "discount is ", hurry.discount,
          "; it must be above 0 and at most 1");
  check_size(handover_.size, "size");
  check_size(hurry.arrival, "arrival");
  const std::vector<float>& there = learned_->tasks().there;
  rewards_there_ = std::any_of(there.begin(), there.end(), [](float r) { return r != 0.0f; });
  if (Crossing::fits(*this)) crossing_ = std::make_unique<const Crossing>(*this);
  if (Detour::fits(*this)) detour_ = std::make_unique<const Detour>(*this);
}

Controller::~Controller() = default;

const Controller& Controller::deciding(const Situation& situation, const Level& here, size_t state,
                                       double radius) const {
  const Level &to = situation.target, &about = situation.obstacle;
  const double tx = to.x - here.x, ty = to.y - here.y;
  const double ox = about.x - here.x, oy = about.y - here.y;
  bool past = false;
  switch (handover_.when) {
    case Handover::kNever:
      break;
    case Handover::kClear: {
      const double length = tx * tx + ty * ty;
      const double share = length > 0 ? std::clamp((ox * tx + oy * ty) / length, 0.0, 1.0) : 0.0;
      past = std::hypot(ox - share * tx, oy - share * ty) >= handover_.size;
      // Whoever looks elsewhere may still turn into it.
      if (past && detour_) past = detour_->passes(situation, here, state, radius);
      break;
    }
    case Handover::kBeyond:
      past = ox * std::cos(about.heading) + oy * std::sin(about.heading) < -handover_.landed();
      break;
    case Handover::kNear: {
      const double c = std::cos(about.heading), s = std::sin(about.heading);
      // It is followed to the right of its normal.
      const double across = ox * c + oy * s, left = tx * s - ty * c;
      past = left < kNearEnd && std::abs(across) < kNearLine;
      break;
    }
  }
  return past ? *handover_.then : *this;
}

void Controller::confine(Situation& situation) const {
  const size_t first = relation_ == Relation::kNone ? 0 : 2;
  for (size_t k = 0; k < sources_.size(); ++k) {
    if (sources_[k] != Source::kConstant) continue;
    const learning::Axis& axis = space().axis(first + k);
    double& value = situation.constants[k];
    value = std::clamp(value, axis[0], axis[axis.size() - 1]);
  }
}

void Controller::task(const Situation& situation, const Level& here, double elapsed,
                      double* out) const {
  Level about = subject_ == Subject::kTarget ? situation.target : situation.obstacle;
  const double dx = about.x - here.x, dy = about.y - here.y;
  const double tx = situation.target.x - here.x, ty = situation.target.y - here.y;
  // A line that nobody has seen lies across the way to the target, far away.
  const bool unseen = relation_ == Relation::kLine && std::hypot(dx, dy) > kSeen;
  const bool aside = !sources_.empty() && sources_.front() == Source::kAside;
  if (unseen && aside) about.heading = std::atan2(ty, tx);
  const double nc = std::cos(about.heading), ns = std::sin(about.heading);
  size_t axis = 2;
  switch (relation_) {
    case Relation::kNone:
      axis = 0;
      break;
    case Relation::kPlane: {
      const double c = std::cos(here.heading), s = std::sin(here.heading);
      out[0] = c * dx + s * dy;
      out[1] = c * dy - s * dx;
      break;
    }
    case Relation::kPolar:
      out[0] = std::hypot(dx, dy);
      out[1] = std::atan2(dy, dx) - here.heading;
      break;
    case Relation::kLine:
      out[0] = unseen ? kSeen : dx * nc + dy * ns;
      out[1] = about.heading - here.heading;
      break;
  }
  // From an obstacle to the target. One that is farther away than tasks know is at their end, and
  // the target where it is.
  double fx = tx - dx, fy = ty - dy;
  if (!sources_.empty() && sources_.front() == Source::kBearing) {
    const double farthest = space().axis(0)[space().axis(0).size() - 1];
    const double nearer = std::min(farthest / std::max(out[0], farthest), 1.0);
    out[0] *= nearer;
    fx = tx - nearer * dx, fy = ty - nearer * dy;
  }
  for (size_t k = 0; k < sources_.size(); ++k, ++axis) {
    switch (sources_[k]) {
      case Source::kConstant:
        out[axis] = situation.constants[k];
        break;
      case Source::kClock:
        out[axis] = situation.constants[k] - elapsed;
        break;
      case Source::kAside:
        out[axis] = ty * nc - tx * ns;
        break;
      case Source::kBehind:
        out[axis] = (tx - dx) * nc + (ty - dy) * ns - handover_.size;
        break;
      case Source::kBearing:
        out[axis] = std::atan2(fy, fx) - here.heading;
        break;
      case Source::kApart:
        out[axis] = std::hypot(fx, fy);
        break;
    }
  }
}

Controller::Around Controller::around(const double* task) const {
  const learning::TaskSpace& space = learned_->space();
  const size_t axes = space.dimensions(), corners = size_t{1} << axes;
  std::array<Between, kMostAxes> taps;
  for (size_t k = 0; k < axes; ++k) taps[k] = space.axis(k).locate(task[k]);
  Around found;
  for (size_t corner = 0; corner < corners; ++corner) {
    float weight = 1.0f;
    size_t place = 0;
    for (size_t k = 0; k < axes; ++k) {
      const bool second = (corner >> k) & 1;
      weight *= second ? taps[k].share : 1.0f - taps[k].share;
      place = place * space.axis(k).size() + (second ? taps[k].second : taps[k].first);
    }
    if (weight <= 0.0f) continue;
    found.places[found.count] = place;
    found.weights[found.count++] = weight;
  }
  return found;
}

double Controller::time(size_t state, double x, double y, double radius) const {
  // Who is content with less is there sooner by that.
  const double away = std::hypot(x, y) - (radius - hurry_.arrival);
  const double task[2] = {std::max(away, 0.0), std::atan2(y, x)};
  const double value = space().at(values_.data() + space().size() * state, task);
  if (rate_ == 0.0) return -value;
  const double left = 1.0 + rate_ * value;
  return left > 0.0 ? std::min(-std::log(left) / rate_, kForEver) : kForEver;
}

double Controller::worth(size_t state, size_t action, const double* task,
                         const Around& around) const {
  const learning::TaskSpace& space = learned_->space();
  const learning::Transitions& table = learned_->table();
  const learning::TaskRewards& rewards = learned_->tasks();
  const size_t pair = state * table.actions + action, tasks = space.size();
  std::array<double, kMostAxes> becomes;
  std::copy(task, task + space.dimensions(), becomes.begin());
  space.displace(learned_->displacement(pair), becomes.data());
  double after = rewards_there_ ? space.at(rewards.there.data(), becomes.data()) : 0.0;
  for (size_t k = 0; k < table.nearest; ++k) {
    const size_t at = pair * table.nearest + k;
    if (table.weights[at] != 0.0f)
      after += table.discounts[pair] * table.weights[at] *
               space.at(values_.data() + tasks * table.successors[at], becomes.data());
  }
  if (!rewards.acting.empty()) {
    float worth = 0.0f, goes = 0.0f;
    for (size_t k = 0; k < around.count; ++k) {
      const auto [acting, going] = learned_->acting(action, around.places[k]);
      worth += around.weights[k] * acting;
      goes += around.weights[k] * going;
    }
    after = worth + goes * after;
  }
  if (!forbidden_.depths.empty()) {
    // What the depth here costs, instead of the mean of what those around cost.
    const float* const depths = forbidden_.depths.data() + forbidden_.places * action;
    const size_t each = tasks / forbidden_.places;
    double depth = 0.0, around_costs = 0.0;
    for (size_t k = 0; k < around.count; ++k) {
      const double own = depths[around.places[k] / each];
      depth += around.weights[k] * own;
      around_costs += around.weights[k] * forbidden_.costs(own);
    }
    after += forbidden_.costs(depth) - around_costs;
  }
  return table.rewards[pair] + after;
}

int Controller::choose(size_t state, const double* task, double radius) const {
  if (crossing_) return crossing_->choose(state, task, radius, {});
  if (detour_) return detour_->choose(state, task, radius, {});
  const Around near = around(task);
  std::array<int32_t, size_t{1} << kMostAxes> candidates;
  size_t found = 0;
  for (size_t k = 0; k < near.count; ++k) {
    const int32_t best = policy_[state * learned_->space().size() + near.places[k]];
    if (best >= 0 && std::find(candidates.begin(), candidates.begin() + found, best) ==
                         candidates.begin() + found)
      candidates[found++] = best;
  }
  if (found <= 1) return found == 0 ? -1 : actions_[candidates[0]];

  double best = -std::numeric_limits<double>::infinity();
  int32_t chosen = -1;
  // In order of their numbers, so that ties do not depend on the order of corners.
  std::sort(candidates.begin(), candidates.begin() + found);
  for (size_t i = 0; i < found; ++i) {
    const auto action = static_cast<size_t>(candidates[i]);
    const double own = worth(state, action, task, near);
    if (own > best) best = own, chosen = actions_[action];
  }
  return chosen;
}

int Controller::choose_other(size_t state, const double* task, double radius,
                             const std::vector<int>& but) const {
  if (crossing_) return crossing_->choose(state, task, radius, but);
  if (detour_) return detour_->choose(state, task, radius, but);
  const learning::Transitions& table = learned_->table();
  const Around near = around(task);
  double best = -std::numeric_limits<double>::infinity();
  int chosen = -1;
  for (size_t action = 0; action < table.actions; ++action) {
    if (!table.viable[state * table.actions + action]) continue;
    const int own = actions_[action];
    if (std::find(but.begin(), but.end(), own) != but.end()) continue;
    const double here = worth(state, action, task, near);
    if (here > best) best = here, chosen = own;
  }
  return chosen;
}

}  // namespace surefoot::control
