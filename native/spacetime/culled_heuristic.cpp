// What is left by way of landmarks that are not culled (levine2011, 5.5: h^1).
//
// Whoever would come to a landmark while it is culled comes when that is over, or not at all for
// less. The static graph is searched with that. A step of it knows three things that no way along
// its landmarks undercuts: when one is there, what that costs, and what it costs beyond waiting as
// long. Culling asks for the last one, so that what is culled in the graph is culled for every way
// there is, also for a slower and cheaper one.
#include <algorithm>

#include "spacetime/search.hpp"

namespace surefoot::spacetime {
namespace {

constexpr double kMoment = 1e-9;    // [s]
constexpr double kRounding = 1e-9;  // of costs
constexpr size_t kMostSteps = 5000;

}  // namespace

// From when on a landmark is not culled for whoever comes at a time or later, and pays so much
// beyond waiting. A stay counts as far as it is known to last: what `culled` takes for granted of
// the first node in the queue does not hold of nodes that come later.
double Search::not_culled(int landmark, double time, double beyond) const {
  const std::vector<double>& gaps = gaps_[landmark];
  for (bool again = true; again;) {
    again = false;
    for (const int other : at_[landmark]) {
      const Label& l = labels_[other];
      if (l.settled == kInfinity || l.stays <= time + kMoment) continue;
      if (l.time + settings_.preparation > time + kMoment) continue;
      if (beyond_waiting(l) > beyond + kRounding) continue;
      double until = l.stays;
      for (const double gap : gaps)
        if (gap > l.time) until = std::min(until, gap);
      if (until <= time + kMoment) continue;
      time = until;
      again = true;
    }
  }
  return time;
}

// The least that a way costs which begins with a step; no less than the step has by itself. A*,
// with what is left in the static graph.
double Search::by_way_of_open(const Step& first) {
  std::priority_queue<Step> open;
  for (const int landmark : stepped_) steps_at_[landmark].clear();
  stepped_.clear();
  steps_at_.resize(edges_.landmarks());
  static_ways_.resize(edges_.landmarks());
  const auto known = [&](const Step& step) {
    const std::vector<Step>& before = steps_at_[step.landmark];
    return std::any_of(before.begin(), before.end(), [&](const Step& other) {
      return other.time <= step.time && other.cost <= step.cost && other.beyond <= step.beyond;
    });
  };
  open.push(first);
  for (size_t steps = 0; !open.empty(); ++steps) {
    const Step at = open.top();
    // Whatever is looked at no more costs no less, either.
    if (edges_.goal(at.landmark) || steps >= kMostSteps) return at.f;
    open.pop();
    if (known(at)) continue;
    if (steps_at_[at.landmark].empty()) stepped_.push_back(at.landmark);
    steps_at_[at.landmark].push_back(at);
    const std::span<const int> near = edges_.near(at.landmark);
    std::vector<Least>& ways = static_ways_[at.landmark];
    if (ways.empty())
      for (const int to : near)
        ways.push_back(edges_.least(at.landmark, to, settings_.waiting_cost));
    for (size_t i = 0; i < near.size(); ++i) {
      const int to = near[i];
      const Least& way = ways[i];
      const double ahead = edges_.ahead(to);
      if (ahead == kInfinity || way.time == kInfinity) continue;
      Step next{0, ahead, at.time + way.time, at.cost + way.cost, at.beyond + way.beyond, to};
      next.time = not_culled(to, next.time, next.beyond);
      if (next.time > settings_.latest + kMoment) {
        late_ = true;
        continue;
      }
      next.cost = std::max(next.cost, next.beyond + settings_.waiting_cost * next.time);
      next.f = std::max(at.f, next.cost + ahead);
      if (!known(next)) open.push(next);
    }
  }
  return kInfinity;
}

// Raises what an entry costs at least to what it costs by way of landmarks that are not culled.
void Search::raise(Open& entry) {
  if (entry.least == kInfinity) return;
  const Label& l = labels_[entry.label];
  Step first{entry.least, 0, entry.time, entry.cost, beyond_waiting(l), l.landmark};
  if (entry.kind == kDeparture) {
    first.beyond += edges_.least(l.landmark, entry.to, settings_.waiting_cost).beyond;
    first.landmark = entry.to;
  }
  entry.least = by_way_of_open(first);
  entry.f = std::max(entry.f, entry.least);
}

}  // namespace surefoot::spacetime
