#include "control/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace surefoot::control {
namespace {

constexpr int kFarther = 2;  // actions that are looked ahead after the first
// [s]: by how much better than it seems between the points of the grid a first action can turn out
// to be. Of later ones those are looked at that seem the best.
constexpr double kSmeared = 6.0;
constexpr double kNothing = -std::numeric_limits<double>::infinity();

}  // namespace

bool Crossing::fits(const Controller& controller) {
  const std::vector<Source> expected{Source::kAside, Source::kBehind, Source::kConstant};
  return controller.handover_.when == Handover::kBeyond && controller.handover_.then &&
         controller.relation_ == learning::Relation::kLine && controller.sources_ == expected &&
         controller.learned_->shared() && controller.learned_->table().nearest == 1;
}

Crossing::Crossing(const Controller& controller)
    : controller_(controller),
      width_(controller.handover_.size),
      options_(controller.learned_->table(), *controller.moves_, controller.actions_,
               controller.rate_) {
  const learning::TaskSpace& space = controller.space();
  normals_ = space.axis(1).size();
  asides_ = space.axis(2).size();
  behinds_ = space.axis(3).size();
  rises_ = space.axis(4).size();
}

Crossing::Node Crossing::after(const Node& node, const Option& option) const {
  return {static_cast<size_t>(option.next),
          node.distance - (node.c * option.ahead + node.s * option.left),
          node.normal - option.turn,
          node.aside - (node.c * option.left - node.s * option.ahead),
          node.c * option.c + node.s * option.s,
          node.s * option.c - node.c * option.s};
}

Crossing::Around Crossing::around(const Node& node) const {
  const learning::TaskSpace& space = controller_.space();
  return {space.axis(0).locate(node.distance), space.axis(1).locate(node.normal),
          space.axis(2).locate(node.aside)};
}

// Visits the points of the first three axes around a node, and how much they count.
template <class Between3, class Seen>
static void each_corner(const Between3& near, size_t normals, size_t asides, Seen seen) {
  for (int corner = 0; corner < 8; ++corner) {
    const bool i = corner & 1, j = corner & 2, k = corner & 4;
    const float weight = (i ? near.distance.share : 1.0f - near.distance.share) *
                         (j ? near.normal.share : 1.0f - near.normal.share) *
                         (k ? near.aside.share : 1.0f - near.aside.share);
    if (weight <= 0.0f) continue;
    const auto row = static_cast<size_t>(i ? near.distance.second : near.distance.first);
    const auto column = static_cast<size_t>(j ? near.normal.second : near.normal.first);
    const auto depth = static_cast<size_t>(k ? near.aside.second : near.aside.first);
    seen((row * normals + column) * asides + depth, weight);
  }
}

double Crossing::value(const Node& node, const Query& query) const {
  const size_t each = behinds_ * rises_;
  const float* const values = controller_.values_.data() + controller_.space().size() * node.state;
  float sum = 0.0f;
  each_corner(around(node), normals_, asides_, [&](size_t place, float weight) {
    const float* const own = values + place * each;
    float inner = 0.0f;
    for (int m = 0; m < 4; ++m) inner += query.weights[m] * own[query.inner[m]];
    sum += weight * inner;
  });
  return sum;
}

Crossing::Choice Crossing::judged(const Node& node, const Query& query, const Around& near,
                                  const Option& option) const {
  const learning::TaskRewards& rewards = controller_.learned_->tasks();
  const Forbidden& forbidden = controller_.forbidden_;
  const size_t columns = rewards.acting.size() / controller_.learned_->table().actions;
  const float* const acting = rewards.acting.data() + columns * option.action;
  const float* const depths = forbidden.depths.data() + forbidden.places * option.action;
  double worth = option.reward, depth = 0.0;
  for (int corner = 0; corner < 4; ++corner) {
    const bool i = corner & 1, j = corner & 2;
    const double weight = (i ? near.distance.share : 1.0f - near.distance.share) *
                          (j ? near.normal.share : 1.0f - near.normal.share);
    if (weight <= 0.0) continue;
    const size_t place =
        static_cast<size_t>(i ? near.distance.second : near.distance.first) * normals_ +
        static_cast<size_t>(j ? near.normal.second : near.normal.first);
    const float* const own = acting + place * rises_;
    worth += weight * (query.of_rises[0] * own[query.rises[0]] +
                       query.of_rises[1] * own[query.rises[1]] - forbidden.costs(depths[place]));
    depth += weight * depths[place];
  }
  // What the depth here costs, instead of the mean of what those around cost.
  worth += forbidden.costs(depth);
  if (worth < 0.5 * forbidden.too_bad) return {&option, worth, true};
  const double ahead = node.distance + width_ + query.behind;
  const double x = ahead * node.c - node.aside * node.s;
  const double y = ahead * node.s + node.aside * node.c;
  if (const double t = options_.reaches(option, x, y, query.radius); t >= 0.0)
    return {&option, worth + option.lasts - t, true};
  const Node then = after(node, option);
  if (then.distance < -width_) {
    const double left = then.distance + width_ + query.behind;
    const double time =
        controller_.handover_.then->time(then.state, left * then.c - then.aside * then.s,
                                         left * then.s + then.aside * then.c, query.radius);
    return {&option, worth - option.discount * options_.elapsed(time), true};
  }
  return {&option, worth + option.discount * value(then, query), false};
}

void Crossing::add_candidates(const Node& node, const Query& query, const Around& near,
                              const std::vector<int>& but, std::vector<Choice>& out) const {
  const size_t first = out.size();
  const auto add = [&](const Option& option) {
    for (size_t i = first; i < out.size(); ++i)
      if (out[i].option == &option) return;
    if (std::find(but.begin(), but.end(), option.own) == but.end())
      out.push_back(judged(node, query, near, option));
  };
  const int32_t* const policy =
      controller_.policy_.data() + controller_.space().size() * node.state;
  each_corner(near, normals_, asides_, [&](size_t place, float) {
    for (int m = 0; m < 4; ++m) {
      if (query.weights[m] <= 0.0f) continue;
      const int32_t action = policy[place * behinds_ * rises_ + query.inner[m]];
      if (action >= 0) add(options_.at(node.state, action));
    }
  });
  // What leads over the ditch is known exactly: none of that is left out.
  const double over = node.distance + width_;
  if (options_.reach(node.state) > over || !but.empty())
    for (const Option& option : options_.of(node.state))
      if (!but.empty() || node.c * option.ahead + node.s * option.left > over) add(option);
}

Crossing::Best Crossing::best(const Node& node, const Query& query, int farther,
                              const std::vector<int>& but) const {
  thread_local std::vector<Choice> choices;
  const size_t first = choices.size();
  add_candidates(node, query, around(node), but, choices);
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
      const Node then = after(node, *own.option);
      const double smeared = own.option->discount * value(then, query);
      worth += own.option->discount * best(then, query, farther - 1, {}).worth - smeared;
    }
    if (worth > found.worth) found = {worth, own.option};
  }
  choices.resize(first);
  return found;
}

int Crossing::choose(size_t state, const double* task, double radius,
                     const std::vector<int>& but) const {
  const learning::TaskSpace& space = controller_.space();
  const learning::Between behind = space.axis(3).locate(task[3]);
  const learning::Between rise = space.axis(4).locate(task[4]);
  Query query{task[3], radius, {}, {}, {}, {}};
  for (int m = 0; m < 4; ++m) {
    const bool b = m & 1, r = m & 2;
    query.inner[m] = static_cast<size_t>(b ? behind.second : behind.first) * rises_ +
                     static_cast<size_t>(r ? rise.second : rise.first);
    query.weights[m] =
        (b ? behind.share : 1.0f - behind.share) * (r ? rise.share : 1.0f - rise.share);
  }
  query.rises = {static_cast<size_t>(rise.first), static_cast<size_t>(rise.second)};
  query.of_rises = {1.0f - rise.share, rise.share};
  const Node here{state, task[0], task[1], task[2], std::cos(task[1]), std::sin(task[1])};
  const Best found = best(here, query, kFarther, but);
  return found.option == nullptr ? -1 : found.option->own;
}

}  // namespace surefoot::control
