// Departures that are found: one label for each stay at a landmark, from which one may depart as
// long as one can stay.
//
// A label dominates another of the same landmark when its wait, as long as it lasts, is there
// before at no more cost. A way is dominated before it is tried where all moments at which it may
// end are so. First in, first out fails among bodies that move, since a later departure can arrive
// earlier: departures are tried until none is left that could be better.
#include <cmath>

#include "spacetime/search.hpp"

namespace surefoot::spacetime {
namespace {

constexpr double kMoment = 1e-9;    // [s]
constexpr double kRounding = 1e-9;  // of costs
// Departures looked at in one go; those after them wait for their turn in the open set.
constexpr int kAhead = 16;

}  // namespace

bool Search::dominated(int landmark, double time, double cost, double spread, int origin,
                       int controller, bool known) {
  const int from = origin < 0 ? -1 : labels_[origin].landmark;
  for (const int other : at_[landmark]) {
    const Label& l = labels_[other];
    if (l.time > time + kMoment) continue;
    if (l.cost + settings_.waiting_cost * (time - l.time) > cost + kRounding) continue;
    // Too late to get ready meanwhile, but the same way led there.
    const bool alike = l.parent >= 0 && from >= 0 && labels_[l.parent].landmark == from &&
                       l.controller == controller && l.time + settings_.alike > time - kMoment;
    if (alike && known) return true;
    if (!alike && l.time + settings_.preparation > time + kMoment) continue;
    if (stays(other, std::min(time + spread, settings_.latest))) return true;
  }
  return false;
}

void Search::expand_all(int label) {
  const Label from = labels_[label];
  for (const int to : edges_.near(from.landmark))
    for (const int controller : edges_.choices(from.landmark, to))
      next_departure(label, to, controller, from.time, {});
}

// Queues the first departure from a time on that may lead to something better.
void Search::next_departure(int label, int to, int controller, double from, Chain chain) {
  const Label l = labels_[label];
  const double tick = settings_.tick;
  double departs = from;
  for (int looks = 1;; ++looks) {
    if (departs > l.time + kMoment) {
      // After a wait: once the body stands, at even times.
      departs = std::max(departs, settled(label));
      if (departs == kInfinity) return;
      departs = std::ceil(departs / tick - kRounding) * tick;
    }
    const double reach = edges_.in_reach(l.landmark, to, departs);
    if (reach > departs) {
      if (reach >= settings_.latest) return;
      departs = std::max(reach, departs + kMoment);
      continue;
    }
    const Bound bound = edges_.bound(l.landmark, l.state, l.time, departs, controller, to);
    const double arrives = std::max(departs + bound.time, chain.soonest);
    if (arrives > settings_.latest) {
      if (bound.time < kInfinity) late_ = true;
      return;
    }
    if (!stays(label, departs)) return;
    const double later = arrives - departs - bound.time;
    const double cost = l.cost + settings_.waiting_cost * (departs - l.time + later) + bound.cost;
    if (looks % kAhead == 0 ||
        !dominated(to, arrives, cost, edges_.spread(), label, controller, chain.soonest > 0)) {
      push({cost + edges_.ahead(to), arrives, cost, 0, kDeparture, label, to, controller, departs,
            true, chain});
      return;
    }
    ++out_.counts.culled;
    departs += tick;
  }
}

}  // namespace surefoot::spacetime
