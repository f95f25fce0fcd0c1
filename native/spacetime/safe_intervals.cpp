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

// Whether somebody else who waits at the same landmark departs then for no more: only who goes on
// at once is any different.
bool Search::covered(int label, double departs) {
  const Label& l = labels_[label];
  const double cost = l.cost - settings_.waiting_cost * l.time;
  for (const int other : at_[l.landmark]) {
    if (other == label) continue;
    const Label& o = labels_[other];
    const double paid = o.cost - settings_.waiting_cost * o.time;
    // Of two alike the first one counts.
    if (paid > cost + kRounding || (paid > cost - kRounding && other > label)) continue;
    const double ready = settled(other);
    if (ready == kInfinity || ready + settings_.preparation > departs + kMoment) continue;
    if (stays(other, departs)) return true;
  }
  return false;
}

void Search::expand_all(int label) {
  const Label from = labels_[label];
  for (const int to : edges_.near(from.landmark))
    for (const int controller : edges_.choices(from.landmark, to)) {
      if (edges_.in_order(from.landmark, to)) {
        next_departure(label, to, controller, from.time, {});
        continue;
      }
      // Who goes on at once seldom gets across, and must not keep back who waits.
      if (edges_.in_reach(from.landmark, to, controller, from.time) <= from.time)
        depart(label, to, controller, from.time, false, {});
      next_departure(label, to, controller, from.time + 2.0 * kMoment, {});
    }
}

// Queues the first departure from a time on. Whether one can stay so long, and whether it leads to
// anything better, is asked when its turn comes: most never have it.
void Search::next_departure(int label, int to, int controller, double from, Chain chain) {
  const Label l = labels_[label];
  const double tick = settings_.tick;
  double departs = from;
  for (;;) {
    if (departs > l.time + kMoment) {
      // After a wait: once the body stands, at even times.
      departs = std::max(departs, settled(label));
      if (departs == kInfinity) return;
      departs = std::ceil(departs / tick - kRounding) * tick;
    }
    const double reach = edges_.in_reach(l.landmark, to, controller, departs);
    if (reach <= departs) break;
    if (reach >= settings_.latest) return;
    departs = std::max(reach, departs + kMoment);
  }
  depart(label, to, controller, departs, true, chain);
}

void Search::depart(int label, int to, int controller, double departs, bool chained, Chain chain) {
  const Label l = labels_[label];
  const Bound bound = edges_.bound(l.landmark, l.state, l.time, departs, controller, to);
  const double arrives = std::max(departs + bound.time, chain.soonest);
  if (arrives > settings_.latest) {
    if (bound.time < kInfinity) late_ = true;
    return;
  }
  push_departure(label, to, controller, departs, arrives, 0.0, chained, chain);
}

}  // namespace surefoot::spacetime
