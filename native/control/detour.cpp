#include "control/detour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace surefoot::control {
namespace {

constexpr int kFarther = 2;  // actions that are looked ahead after the first
// [s]: by how much better than it seems between the points of the grid a first action can turn out
// to be. Of later ones those are looked at that seem the best.
constexpr double kSmeared = 1.0;
// Of the radius: who cuts in deeper than this cuts in.
constexpr double kCut = 0.05;
constexpr int kFollowed = 3;  // actions straight to the target that must pass the cylinder by
constexpr double kNothing = -std::numeric_limits<double>::infinity();

}  // namespace

bool Detour::fits(const Controller& controller) {
  const std::vector<Source> expected{Source::kBearing, Source::kApart};
  return controller.handover_.when == Handover::kClear && controller.handover_.then &&
         controller.relation_ == learning::Relation::kPolar && controller.sources_ == expected &&
         !controller.forbidden_.depths.empty() && controller.learned_->shared() &&
         controller.learned_->table().nearest == 1;
}

Detour::Detour(const Controller& controller)
    : controller_(controller),
      size_(controller.handover_.size),
      options_(controller.learned_->table(), *controller.moves_, controller.actions_,
               controller.rate_) {
  const learning::TaskSpace& space = controller.space();
  directions_ = space.axis(1).size();
  bearings_ = space.axis(2).size();
  aparts_ = space.axis(3).size();
  actions_.assign(controller.moves_->actions(), -1);
  for (size_t i = 0; i < controller.actions_.size(); ++i)
    actions_[controller.actions_[i]] = static_cast<int32_t>(i);
}

bool Detour::cuts(int32_t own, double x, double y) const {
  const int32_t action = actions_[own];
  // From inside, the way out is what counts.
  const double near = std::min((1.0 - kCut) * size_, std::sqrt(x * x + y * y));
  return action >= 0 && options_.nearest(action, x, y, near) < near - 1e-9;
}

bool Detour::passes(const Situation& situation, Level here, size_t state, double radius) const {
  const Controller& straight = *controller_.handover_.then;
  const Moves& moves = *controller_.moves_;
  std::array<double, learning::kMostAxes> task;
  for (int i = 0; i < kFollowed; ++i) {
    straight.task(situation, here, 0.0, task.data());
    const int action = straight.choose(state, task.data(), radius);
    if (action < 0) return true;
    const double x = situation.obstacle.x - here.x, y = situation.obstacle.y - here.y;
    const double c = std::cos(here.heading), s = std::sin(here.heading);
    if (cuts(action, c * x + s * y, c * y - s * x)) return false;
    here = here.then(moves.at(static_cast<size_t>(action), moves.move(action).duration), c, s);
    state = static_cast<size_t>(moves.move(action).end);
    if (std::hypot(situation.target.x - here.x, situation.target.y - here.y) < radius) break;
  }
  return true;
}

bool Detour::clear(const Node& node) const {
  const auto [ox, oy] = node.centre;
  const auto [tx, ty] = node.target;
  const double length = tx * tx + ty * ty;
  const double share = length > 0 ? std::clamp((ox * tx + oy * ty) / length, 0.0, 1.0) : 0.0;
  const double x = ox - share * tx, y = oy - share * ty;
  return x * x + y * y >= size_ * size_;
}

Detour::Node Detour::after(const Node& node, const Option& option) const {
  const auto seen = [&](Flat place) {
    const double x = place.x - option.ahead, y = place.y - option.left;
    return Flat{option.c * x + option.s * y, option.c * y - option.s * x};
  };
  return {static_cast<size_t>(option.next), seen(node.centre), seen(node.target)};
}

Detour::Around Detour::around(const Node& node) const {
  const learning::TaskSpace& space = controller_.space();
  const auto [ox, oy] = node.centre;
  return {space.axis(0).locate(std::sqrt(ox * ox + oy * oy)),
          space.axis(1).locate(std::atan2(oy, ox)),
          space.axis(2).locate(std::atan2(node.target.y - oy, node.target.x - ox))};
}

// Visits the points of the first three axes around a node, and how much they count.
template <class Between3, class Seen>
static void each_corner(const Between3& near, size_t directions, size_t bearings, Seen seen) {
  for (int corner = 0; corner < 8; ++corner) {
    const bool i = corner & 1, j = corner & 2, k = corner & 4;
    const float weight = (i ? near.distance.share : 1.0f - near.distance.share) *
                         (j ? near.direction.share : 1.0f - near.direction.share) *
                         (k ? near.bearing.share : 1.0f - near.bearing.share);
    if (weight <= 0.0f) continue;
    const auto row = static_cast<size_t>(i ? near.distance.second : near.distance.first);
    const auto column = static_cast<size_t>(j ? near.direction.second : near.direction.first);
    const auto depth = static_cast<size_t>(k ? near.bearing.second : near.bearing.first);
    seen((row * directions + column) * bearings + depth, weight);
  }
}

double Detour::value(size_t state, const Around& near, const Query& query) const {
  const float* const values = controller_.values_.data() + controller_.space().size() * state;
  const learning::Between& apart = query.apart;
  float sum = 0.0f;
  each_corner(near, directions_, bearings_, [&](size_t place, float weight) {
    const float* const own = values + place * aparts_;
    sum += weight * (own[apart.first] + apart.share * (own[apart.second] - own[apart.first]));
  });
  return sum;
}

Detour::Choice Detour::judged(const Node& node, const Query& query, const Around& near,
                              const Option& option) const {
  const learning::TaskRewards& rewards = controller_.learned_->tasks();
  const Forbidden& forbidden = controller_.forbidden_;
  const float* const acting = rewards.acting.data() + forbidden.places * option.action;
  const float* const depths = forbidden.depths.data() + forbidden.places * option.action;
  if (cuts(option.own, node.centre.x, node.centre.y))
    return {&option, forbidden.too_bad, true, node, near, 0.0};
  double worth = option.reward, depth = 0.0;
  for (int corner = 0; corner < 4; ++corner) {
    const bool i = corner & 1, j = corner & 2;
    const double weight = (i ? near.distance.share : 1.0f - near.distance.share) *
                          (j ? near.direction.share : 1.0f - near.direction.share);
    if (weight <= 0.0) continue;
    const size_t place =
        static_cast<size_t>(i ? near.distance.second : near.distance.first) * directions_ +
        static_cast<size_t>(j ? near.direction.second : near.direction.first);
    worth += weight * (acting[place] - forbidden.costs(depths[place]));
    depth += weight * depths[place];
  }
  // What the depth here costs, instead of the mean of what those around cost.
  worth += forbidden.costs(depth);
  if (worth < 0.5 * forbidden.too_bad) return {&option, worth, true, node, near, 0.0};
  if (const double t = options_.reaches(option, node.target.x, node.target.y, query.radius);
      t >= 0.0)
    return {&option, worth + option.lasts - t, true, node, near, 0.0};
  const Node then = after(node, option);
  if (clear(then)) {
    const double time =
        controller_.handover_.then->time(then.state, then.target.x, then.target.y, query.radius);
    return {&option, worth - option.discount * options_.elapsed(time), true, then, near, 0.0};
  }
  const Around around_then = around(then);
  const double after = option.discount * value(then.state, around_then, query);
  return {&option, worth + after, false, then, around_then, after};
}

void Detour::add_candidates(const Node& node, const Around& near, const Query& query,
                            const std::vector<int>& but, std::vector<Choice>& out) const {
  const size_t first = out.size();
  const auto add = [&](const Option& option) {
    for (size_t i = first; i < out.size(); ++i)
      if (out[i].option == &option) return;
    if (std::find(but.begin(), but.end(), option.own) == but.end())
      out.push_back(judged(node, query, near, option));
  };
  if (!but.empty()) {
    for (const Option& option : options_.of(node.state)) add(option);
    return;
  }
  const int32_t* const policy =
      controller_.policy_.data() + controller_.space().size() * node.state;
  each_corner(near, directions_, bearings_, [&](size_t place, float) {
    for (const int32_t apart : {query.apart.first, query.apart.second}) {
      const int32_t action = policy[place * aparts_ + static_cast<size_t>(apart)];
      if (action >= 0) add(options_.at(node.state, action));
    }
  });
}

Detour::Best Detour::best(const Node& node, const Around& near, const Query& query, int farther,
                          const std::vector<int>& but) const {
  thread_local std::vector<Choice> choices;
  const size_t first = choices.size();
  add_candidates(node, near, query, but, choices);
  const size_t last = choices.size();
  // The most promising first; ties in the order of their numbers.
  std::sort(choices.begin() + first, choices.begin() + last, [](const Choice& a, const Choice& b) {
    return a.worth != b.worth ? a.worth > b.worth : a.option < b.option;
  });
  Best found{kNothing, nullptr};
  for (size_t i = first; i < last; ++i) {
    const Choice own = choices[i];
    double worth = own.worth;
    if (!own.known && farther > 0) {
      // What cannot become the best is not looked at.
      if (worth + (farther == kFarther ? kSmeared : 0.0) <= found.worth) continue;
      worth += own.option->discount * best(own.then, own.around, query, farther - 1, {}).worth -
               own.value;
    }
    if (worth > found.worth) found = {worth, own.option};
  }
  choices.resize(first);
  return found;
}

int Detour::choose(size_t state, const double* task, double radius,
                   const std::vector<int>& but) const {
  const Flat centre{task[0] * std::cos(task[1]), task[0] * std::sin(task[1])};
  const Flat target{centre.x + task[3] * std::cos(task[2]), centre.y + task[3] * std::sin(task[2])};
  const Query query{radius, controller_.space().axis(3).locate(task[3])};
  const Node here{state, centre, target};
  const Best found = best(here, around(here), query, kFarther, but);
  return found.option == nullptr ? -1 : found.option->own;
}

}  // namespace surefoot::control
