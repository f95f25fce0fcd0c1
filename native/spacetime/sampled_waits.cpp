// Waits that are sampled, and what is culled then (levine2011, 5.1 to 5.3; Fig. 8 and 9).
#include <algorithm>
#include <cmath>

#include "spacetime/search.hpp"

namespace surefoot::spacetime {
namespace {

constexpr double kMoment = 1e-9;    // [s]
constexpr double kRounding = 1e-9;  // of costs

}  // namespace

// Whether a landmark is reached for no more at a time by a wait that began before (5.2), with no
// gap in between (5.3, as its prose has it: a gap after the wait's start and until the time
// blocks). `root`: whose own wait this is; waits of equal cost cull each other in order only.
bool Search::culled(int landmark, double time, double cost, int root) {
  const std::vector<double>& gaps = gaps_[landmark];
  for (const int other : at_[landmark]) {
    if (other == root) continue;
    const Label& l = labels_[other];
    if (l.settled == kInfinity) continue;  // nobody could wait there
    if (l.time + settings_.preparation > time + kMoment) continue;
    const double waited = l.cost + settings_.waiting_cost * (time - l.time);
    if (waited > cost + kRounding) continue;
    if (root >= 0 && waited > cost - kRounding && other > root) continue;
    const bool blocked = std::any_of(gaps.begin(), gaps.end(), [&](double gap) {
      return l.time < gap && gap <= time + kMoment;
    });
    if (!blocked) return true;
  }
  return false;
}

// The closed set of A*: a node at the same place and time, give or take, for no more (7.2).
bool Search::closed(int landmark, double time, double cost, bool remember) {
  for (const auto& [when, paid] : closed_[landmark])
    if (std::abs(when - time) <= settings_.closed + kMoment && paid <= cost + kRounding)
      return true;
  if (remember) closed_[landmark].emplace_back(time, cost);
  return false;
}

void Search::expand_now(int label, double departs) {
  const Label l = labels_[label];
  for (const int to : edges_.near(l.landmark)) {
    for (const int controller : edges_.choices(l.landmark, to)) {
      if (edges_.in_reach(l.landmark, to, controller, departs) > departs) continue;
      const Bound bound = edges_.bound(l.landmark, l.state, l.time, departs, controller, to);
      const double arrives = departs + bound.time;
      if (arrives > settings_.latest) {
        if (bound.time < kInfinity) late_ = true;
        continue;
      }
      push_departure(label, to, controller, departs, arrives, 0.0, false, {});
    }
  }
}

// Whether a departure could reach any landmark for less than it is known to be reached for. A gap
// that was not found yet is not known to `culled` of what comes later than the first node in the
// queue: who culls only what was evaluated counts a stay as far as it is known to last.
bool Search::improves(int label, double departs) {
  const Label l = labels_[label];
  if (settings_.waiting != Waiting::kCulled) return true;
  const double before = l.cost + settings_.waiting_cost * (departs - l.time);
  for (const int to : edges_.near(l.landmark)) {
    for (const int controller : edges_.choices(l.landmark, to)) {
      if (edges_.in_reach(l.landmark, to, controller, departs) > departs) continue;
      const Bound bound = edges_.bound(l.landmark, l.state, l.time, departs, controller, to);
      const double arrives = departs + bound.time, cost = before + bound.cost;
      if (arrives > settings_.latest) continue;
      const bool no_less =
          settings_.cull_unevaluated
              ? culled(to, arrives, cost, -1)
              : not_culled(to, arrives, cost - settings_.waiting_cost * arrives) > arrives;
      if (!no_less) return true;
    }
  }
  return false;
}

// The next wait that can improve anything; a gap marker where it cannot last so long.
void Search::sample_wait(int label, double departs) {
  const Label l = labels_[label];
  double until = departs;
  for (;;) {
    until += settings_.wait;
    if (until > settings_.latest) {
      late_ = true;
      return;
    }
    const double ready = settled(label);
    if (ready == kInfinity) return;
    if (until < ready) continue;
    if (!stays(label, until)) {
      // When it ends is known to a tick.
      double last = std::max(departs, ready), end = until;
      while (end - last > settings_.tick) {
        const double middle = 0.5 * (last + end);
        (stays(label, middle) ? last : end) = middle;
      }
      gaps_[l.landmark].push_back(end);
      labels_[label].stays = end;
      ++out_.counts.gaps;
      return;
    }
    labels_[label].stays = until;
    if (improves(label, until)) break;
  }
  ++out_.counts.waits;
  const double cost = l.cost + settings_.waiting_cost * (until - l.time);
  const int from = l.parent < 0 ? -1 : labels_[l.parent].landmark;
  const Left left = edges_.left(l.landmark, until, from);
  push({priced(cost, left.least, left.likely),
        until,
        cost,
        cost + left.least,
        0,
        kWait,
        label,
        -1,
        -1,
        until,
        false,
        {}});
}

}  // namespace surefoot::spacetime
