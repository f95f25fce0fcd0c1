#include "spacetime/search.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "math/checks.hpp"

namespace surefoot::spacetime {
namespace {

constexpr double kMoment = 1e-9;  // [s]
constexpr int kCopies = 5;
constexpr int kPatience = 4;     // ticks between departures that fail, at most
constexpr size_t kStopped = 64;  // steps between questions whether to stop
constexpr double kNotSettled = -1.0;
constexpr double kTrusted = 0.75;   // this much of what is likely has to be below what is of use
constexpr double kRounding = 1e-9;  // of costs

void check_settings(const Settings& s) {
  check_index(static_cast<int32_t>(s.waiting), 3, "waiting");
  check_time(s.start, "start");
  check_number(s.latest, "latest", -kMaxTime, kMaxTime);
  require(s.tick > 0 && s.tick <= kMaxTime, "tick is ", s.tick, " s; it must be above 0");
  require(s.wait > 0 && s.wait <= kMaxTime, "wait is ", s.wait, " s; it must be above 0");
  check_number(s.halt, "halt", 0, kMaxTime);
  check_number(s.waiting_cost, "waiting_cost", 0, kMaxSize);
  check_number(s.price, "price", 1, kInfinity);
  check_number(s.haste, "haste", 0, kInfinity);
  require(!std::isnan(s.below) && !std::isnan(s.earliest_goal) && !std::isnan(s.latest_goal),
          "the bounds of a search must be numbers");
}

}  // namespace

void Search::push(Open entry) {
  entry.order = order_++;
  open_.push(entry);
  ++out_.counts.queued;
}

void Search::push_arrival(int id) {
  Open entry{0, labels_[id].time, labels_[id].cost, 0, 0, kArrival, id, -1, -1, 0, false, {}};
  price(entry);
  push(entry);
}

void Search::push_departure(int label, int to, int controller, double departs, double arrives,
                            double least, bool chained, Chain chain) {
  Open entry{0, arrives, 0, least, 0, kDeparture, label, to, controller, departs, chained, chain};
  price(entry);
  push(entry);
}

// What it costs and leaves, by what is likely now.
void Search::price(Open& entry) {
  const Label& l = labels_[entry.label];
  if (entry.kind == kArrival) {
    const int from = l.parent < 0 ? -1 : labels_[l.parent].landmark;
    const Left left = edges_.left(l.landmark, l.time, from);
    if (left.least == kInfinity) late_ |= edges_.ahead(l.landmark) < kInfinity;
    entry.least = l.cost + left.least;
    entry.f = priced(l.cost, left.least, left.likely);
    return;
  }
  Bound bound =
      edges_.bound(l.landmark, l.state, l.time, entry.departs, entry.controller, entry.to);
  if (settings_.price > 1.0)
    bound = edges_.likely(bound, l.landmark, l.state, l.time, entry.departs, entry.controller,
                          entry.to);
  // Who is known to arrive later than the bound says pays for that.
  const double later =
      std::max(entry.time - entry.departs - bound.time, 0.0) * settings_.waiting_cost;
  const double before = l.cost + settings_.waiting_cost * (entry.departs - l.time);
  const Left left = edges_.left(entry.to, entry.time, l.landmark);
  if (left.least == kInfinity) late_ |= edges_.ahead(entry.to) < kInfinity;
  const double arrives = std::max(entry.departs + bound.likely_time, entry.time);
  const double likely = edges_.left(entry.to, arrives, l.landmark).likely;
  entry.cost = before + later + bound.cost;
  entry.least = std::max(entry.least, entry.cost + left.least);
  entry.f = priced(before, entry.least - before,
                   std::max(later + bound.cost, bound.likely_cost) + likely);
}

bool Search::dearer_by_now(const Open& entry) {
  const bool learns = settings_.price > 1.0 && entry.kind != kWait;
  const bool raises = settings_.culled_heuristic && settings_.waiting == Waiting::kCulled;
  if (entry.kind == kAtGoal || !(learns || raises)) return false;
  Open now = entry;
  if (learns) price(now);
  if (raises) raise(now);
  if (now.f <= entry.f + kRounding) return false;
  open_.push(now);
  return true;
}

bool Search::exhausted() {
  Counts& counts = out_.counts;
  counts.bytes =
      std::max(counts.bytes, labels_.capacity() * sizeof(Label) + open_.size() * sizeof(Open));
  if (counts.expanded >= settings_.most_nodes)
    out_.end = End::kNodes;
  else if (counts.evaluated >= settings_.most_evaluations)
    out_.end = End::kEvaluations;
  else if (counts.bytes >= settings_.most_bytes)
    out_.end = End::kMemory;
  else if (++steps_ % kStopped == 0 && stop_ && stop_())
    out_.end = End::kStopped;
  else
    return false;
  return true;
}

bool Search::useless(const Open& entry) const {
  if (settings_.below == kInfinity) return false;
  if (entry.least >= settings_.below) return true;
  // Estimates are too high now and then.
  const double before = labels_[entry.label].cost;
  return before + kTrusted / settings_.haste * (entry.f - before) >= settings_.below;
}

double Search::settled(int label) {
  Label& l = labels_[label];
  if (l.settled == kNotSettled) l.settled = edges_.settled(l.landmark, l.state, l.time);
  return l.settled;
}

bool Search::stays(int label, double until) {
  const Label& l = labels_[label];
  if (until <= l.time + kMoment) return true;
  return settled(label) < kInfinity && edges_.stays(l.landmark, l.state, l.time, until);
}

// When it arrives; infinity where there is no way.
double Search::evaluate(const Open& entry) {
  const Label from = labels_[entry.label];
  if (settings_.foresees && edges_.foreseen(from.landmark, from.state, from.time, entry.departs,
                                            entry.controller, entry.to)) {
    ++out_.counts.foreseen;
    return kInfinity;
  }
  ++out_.counts.evaluated;
  const std::optional<Arrived> arrived =
      edges_.go(from.landmark, from.state, from.time, entry.departs, entry.controller, entry.to);
  if (settings_.recorded) {
    const Bound bound = edges_.bound(from.landmark, from.state, from.time, entry.departs,
                                     entry.controller, entry.to);
    out_.evaluations.push_back({entry.label, entry.to, entry.controller, entry.departs, bound,
                                arrived ? arrived->time : kInfinity,
                                arrived ? arrived->cost : kInfinity});
  }
  if (!arrived) return kInfinity;
  if (arrived->time > settings_.latest) {
    late_ = true;
    return arrived->time;
  }
  ++out_.counts.succeeded;
  const double waited = settings_.waiting_cost * (entry.departs - from.time);
  const double paid = from.cost + waited + arrived->cost;
  Label label{arrived->landmark, arrived->state,   arrived->time, paid,
              entry.label,       entry.controller, entry.departs};
  label.aim = entry.to;
  labels_.push_back(label);
  push_arrival(static_cast<int>(labels_.size()) - 1);
  return label.time;
}

// A plan ends in a stand: whoever is at a goal halts there, and who is there too early waits.
void Search::arrive(int label) {
  const Label& l = labels_[label];
  if (!edges_.goal(l.landmark) || l.time > settings_.latest_goal) return;
  const double stands = std::max({settled(label), l.time, settings_.earliest_goal});
  if (stands == kInfinity || !stays(label, stands + settings_.halt)) return;
  if (stands > settings_.latest) {
    late_ = true;
    return;
  }
  const double cost = l.cost + settings_.waiting_cost * (stands - l.time) +
                      edges_.halting(l.landmark, l.state, l.time);
  push({cost, stands, cost, cost, 0, kAtGoal, label, -1, -1, 0, false, {}});
}

void Search::follow(std::span<const Hint> hints) {
  int at = 0;
  for (const Hint& hint : hints) {
    const Label& l = labels_[at];
    const double departs = std::max(hint.departs, l.time);
    const bool waits = departs > l.time + kMoment;
    if (hint.to == l.landmark || out_.counts.evaluated >= settings_.most_evaluations) return;
    if (waits && (settled(at) > departs || !stays(at, departs))) return;
    const Open entry{0,       l.time,          0,       0,     0, kDeparture, at,
                     hint.to, hint.controller, departs, false, {}};
    const size_t before = labels_.size();
    evaluate(entry);
    if (labels_.size() == before) return;
    at = static_cast<int>(before);
  }
}

Found Search::run(int landmark, int state, std::span<const Hint> hints) {
  check_settings(settings_);
  check_index(landmark, edges_.landmarks(), "landmark");
  for (const Hint& hint : hints) check_index(hint.to, edges_.landmarks(), "the landmark of a hint");
  at_.assign(edges_.landmarks(), {});
  closed_.assign(edges_.landmarks(), {});
  gaps_.assign(edges_.landmarks(), {});
  labels_.push_back({landmark, state, settings_.start, 0.0});
  push_arrival(0);
  follow(hints);
  const bool safe = settings_.waiting == Waiting::kSafeIntervals;
  const bool culls = settings_.waiting == Waiting::kCulled;
  bool ended = false;
  while (!open_.empty() && !ended) {
    if (open_.top().f == kInfinity) break;  // nothing that is left leads anywhere
    ended = exhausted();
    if (ended) break;
    const Open entry = open_.top();
    open_.pop();
    if (useless(entry) || dearer_by_now(entry)) continue;
    const Label label = labels_[entry.label];
    if (entry.kind == kAtGoal) {
      goal_ = entry.label;
      out_.arrives = entry.time;
      out_.cost = entry.cost;
      // Who knows a way already looks on for cheaper ones.
      if (settings_.below == kInfinity) break;
      settings_.below = entry.cost;
    } else if (entry.kind == kDeparture) {
      bool cull = false;
      if (safe) {
        if (!stays(entry.label, entry.departs)) continue;
        cull = (entry.departs > label.time + kMoment && covered(entry.label, entry.departs)) ||
               dominated(entry.to, entry.time, entry.cost, edges_.spread(), entry.label,
                         entry.controller, entry.chain.soonest > 0);
      }
      if (!safe) cull = closed(entry.to, entry.time, entry.cost, false);
      if (culls && settings_.cull_unevaluated)
        cull = cull || culled(entry.to, entry.time, entry.cost, -1);
      Chain chain = entry.chain;
      double next = settings_.tick;
      const bool in_order = entry.departs > label.time && edges_.in_order(label.landmark, entry.to);
      if (cull) {
        ++out_.counts.culled;
      } else if (const double time = evaluate(entry); time < kInfinity) {
        // Departures soon after this one arrive the same; in order, none arrives earlier.
        next = std::max(next, settings_.alike);
        if (in_order) {
          // Where one cannot stay, copies of the same way at later times are of ever less use.
          next *= chain.soonest > 0 ? kCopies : 1;
          chain.soonest = time;
        }
        chain.failed = 0;
      } else {
        // On the same ground what failed fails again, unless something moves out of the way.
        next *= in_order ? std::min(1 << chain.failed, kPatience) : 1 + chain.failed / 3;
        chain.failed = std::min(chain.failed + 1, 6);
        for (const int other : edges_.instead(entry.controller, label.landmark, entry.to)) {
          const Bound bound =
              edges_.bound(label.landmark, label.state, label.time, entry.departs, other, entry.to);
          push_departure(entry.label, entry.to, other, entry.departs, entry.departs + bound.time,
                         entry.least, false, {});
        }
      }
      if (entry.chained)
        next_departure(entry.label, entry.to, entry.controller, entry.departs + next, chain);
    } else if (entry.kind == kArrival) {
      bool cull = false;
      if (safe)
        cull = dominated(label.landmark, label.time, label.cost, 0, label.parent, label.controller,
                         true) ||
               (settings_.price > 1.0 && closed(label.landmark, label.time, label.cost, true));
      else
        cull = (culls && culled(label.landmark, label.time, label.cost, -1)) ||
               closed(label.landmark, label.time, label.cost, true);
      if (cull) {
        ++out_.counts.culled;
        continue;
      }
      ++out_.counts.expanded;
      if (settings_.recorded) out_.expanded.push_back(entry.label);
      at_[label.landmark].push_back(entry.label);
      arrive(entry.label);
      if (safe) {
        expand_all(entry.label);
      } else {
        expand_now(entry.label, label.time);
        sample_wait(entry.label, label.time);
      }
    } else {  // a wait is over
      const bool cull = (culls && culled(label.landmark, entry.departs, entry.cost, entry.label)) ||
                        closed(label.landmark, entry.departs, entry.cost, true);
      if (cull) {
        ++out_.counts.culled;
        continue;
      }
      ++out_.counts.expanded;
      expand_now(entry.label, entry.departs);
      sample_wait(entry.label, entry.departs);
    }
  }
  if (ended) out_.limit = out_.end;
  if (goal_ >= 0) {
    reached();
  } else {
    if (!ended) out_.end = late_ ? End::kLate : End::kUnreachable;
    partial(out_);
  }
  std::reverse(out_.path.begin(), out_.path.end());
  out_.labels = std::move(labels_);
  return std::move(out_);
}

void Search::reached() {
  out_.end = End::kReached;
  out_.least = out_.cost;
  // The queue is in order of another estimate; where any price is paid its bounds are none.
  if (settings_.price == kInfinity) out_.least = -kInfinity;
  for (; !open_.empty(); open_.pop()) out_.least = std::min(out_.least, open_.top().least);
  out_.least = std::max(out_.least, std::min(settings_.least, out_.cost));
  for (int at = goal_; at >= 0; at = labels_[at].parent) out_.path.push_back(at);
}

// The way that looks best, of those that end where one can stay: what it costs and most likely
// leaves; where there is no hope, what it leaves at least.
void Search::partial(Found& out) const {
  const auto worth = [&](const Label& l) {
    const Left left = edges_.left(l.landmark, l.time, -1);
    const double ahead = edges_.ahead(l.landmark);
    return std::tuple{!left.hope, left.hope ? l.cost + settings_.haste * left.likely : ahead, ahead,
                      l.cost};
  };
  int best = 0;
  for (size_t i = 1; i < labels_.size(); ++i) {
    if (labels_[i].settled == kNotSettled || labels_[i].settled == kInfinity) continue;
    if (worth(labels_[i]) < worth(labels_[best])) best = static_cast<int>(i);
  }
  out.arrives = labels_[best].time;
  out.cost = labels_[best].cost;
  for (int at = best; at >= 0; at = labels_[at].parent) out.path.push_back(at);
}

}  // namespace surefoot::spacetime
