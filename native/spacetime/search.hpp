// Search through space and time over landmarks (levine2011, sections 5 and 6).
#pragma once

#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "spacetime/edges.hpp"

namespace surefoot::spacetime {

enum class Waiting : int32_t {
  kSafeIntervals,  // departures are found, as long as one can stay where one stands
  kCulled,         // waits are sampled; what waiting reaches for less is culled (5.2, 5.3)
  kClosed,         // waits are sampled; a closed set with a tolerance in time (7.2)
};

struct Settings {
  Waiting waiting = Waiting::kSafeIntervals;
  double start = 0, latest = 60;  // [s]
  double earliest_goal = -kInfinity, latest_goal = kInfinity;
  double halt = 0.0;         // [s] for which one who has come to a goal can stand there
  double tick = 0.1;         // [s] between departures
  double wait = 1.0;         // [s] between sampled waits
  double preparation = 0.3;  // [s], t_min: who waits as long is ready for anything
  double closed = 0.05;      // [s]: nodes this near in time are the same, for a closed set
  // [s]: who comes as near in time from one landmark by one controller comes the same.
  double alike = 0.0;
  double waiting_cost = 1.0;  // [1/s]: what waiting costs
  // What is likely counts where it is at most so many times the least that is possible; no path
  // that is found costs more than so many times the best.
  double price = 1.0;
  double haste = 1.0;            // by how much what is likely weighs more then
  double below = kInfinity;      // a way is of use only if it costs less
  bool cull_unevaluated = true;  // by the bound of when they are reached (5.4)
  bool foresees = true;          // what is known to fail is not evaluated
  // What is left counts that landmarks are culled, where waits are (5.5: h^1).
  bool culled_heuristic = false;
  double least = 0;  // no path costs less, as far as is known before
  size_t most_nodes = 1'000'000, most_evaluations = 1'000'000, most_bytes = 2'000'000'000;
  bool recorded = false;  // keep all expanded nodes and evaluated edges
};

// Somebody at a landmark, and the edge that led there.
struct Label {
  int landmark, state;
  double time, cost;
  int parent = -1;            // label
  int controller = -1;        // that led here
  double departs = 0;         // [s] from the parent
  double settled = -1;        // [s]; not asked yet where negative
  int aim = -1;               // landmark that was gone for from the parent
  double stays = -kInfinity;  // [s] until when one is known to be able to wait, as samples tell
};

// A way that was good before: to a landmark, at once or after a wait.
struct Hint {
  int to, controller;
  double departs;  // [s]; -infinity: at once
};

enum class End : int32_t { kReached, kUnreachable, kLate, kNodes, kEvaluations, kMemory, kStopped };

struct Counts {
  size_t expanded = 0, evaluated = 0, succeeded = 0, culled = 0, waits = 0, gaps = 0, queued = 0;
  size_t foreseen = 0;  // ways that were not evaluated since they cannot succeed
  size_t bytes = 0;
};

struct Evaluated {
  int parent, to, controller;
  double departs;
  Bound bound;
  double time, cost;  // infinity where there is no way
};

struct Found {
  End end = End::kUnreachable;
  End limit = End::kReached;  // that kept it from trying more; kReached: none
  std::vector<int> path;      // labels from the start to the goal, or to the best that was found
  double arrives = 0;         // [s], after a wait at the goal where one was needed
  double cost = 0;
  double least = 0;  // no path costs less, as far as the search knows
  Counts counts;
  std::vector<Label> labels;
  std::vector<int> expanded;  // labels, where recorded
  std::vector<Evaluated> evaluations;
};

// Asked now and then; true to stop.
using Stop = std::function<bool()>;

class Search {
 public:
  Search(Edges& edges, const Settings& settings, Stop stop)
      : edges_(edges), settings_(settings), stop_(std::move(stop)) {}

  // Hints are gone along first, as far as they lead.
  Found run(int landmark, int state, std::span<const Hint> hints = {});

 private:
  // What departures tell those that follow them.
  struct Chain {
    double soonest = 0;  // [s]: no later one arrives earlier
    int failed = 0;      // how many in a row
  };
  enum Kind : int32_t { kDeparture, kArrival, kWait, kAtGoal };
  // What lies in the open set. Ties by time (Appendix B), then in the order they came.
  struct Open {
    double f, time, cost;  // time and cost are bounds for departures
    double least;          // no path through it costs less
    uint64_t order;
    Kind kind;
    int label;  // where it departs from, or that arrived
    int to, controller;
    double departs;
    bool chained;  // later departures follow this one
    Chain chain;

    bool operator<(const Open& other) const {
      if (f != other.f) return f > other.f;
      if (time != other.time) return time > other.time;
      return order > other.order;
    }
  };

  void push(Open entry);
  // Whether it costs more than it seemed when it was queued; it is queued again then.
  bool dearer_by_now(const Open& entry);
  void price(Open& entry);
  void push_arrival(int label);
  // A departure that arrives no earlier, and is at least as dear as `least`.
  void push_departure(int label, int to, int controller, double departs, double arrives,
                      double least, bool chained, Chain chain);
  double priced(double before, double least, double likely) const {
    const double most = settings_.price < kInfinity ? settings_.price * least : kInfinity;
    return before + std::max(least, std::min(most, settings_.haste * likely));
  }
  bool exhausted();
  // Whether nothing that is of use comes of it.
  bool useless(const Open& entry) const;
  double settled(int label);
  bool stays(int label, double until);
  // Evaluates a departure; queues what it reaches.
  double evaluate(const Open& entry);
  void arrive(int label);
  void follow(std::span<const Hint> hints);
  void reached();
  void partial(Found& out) const;

  // Safe intervals.
  void expand_all(int label);
  bool covered(int label, double departs);
  void next_departure(int label, int to, int controller, double from, Chain chain);
  void depart(int label, int to, int controller, double departs, bool chained, Chain chain);
  // Origin: the label it comes from.
  bool dominated(int landmark, double time, double cost, double spread, int origin, int controller,
                 bool known);

  // Sampled waits.
  void expand_now(int label, double departs);
  void sample_wait(int label, double departs);
  bool culled(int landmark, double time, double cost, int root);
  bool closed(int landmark, double time, double cost, bool remember);
  bool improves(int label, double departs);

  // Landmarks that are culled, in what is left.
  struct Step {
    double f, ahead;            // costs no less to a goal, in all and from here
    double time, cost, beyond;  // beyond: waiting as long
    int landmark;

    bool operator<(const Step& other) const {
      return f != other.f ? f > other.f : ahead > other.ahead;
    }
  };
  // What a label cost beyond waiting as long.
  double beyond_waiting(const Label& l) const { return l.cost - settings_.waiting_cost * l.time; }
  double not_culled(int landmark, double time, double beyond) const;
  double by_way_of_open(const Step& first);
  void raise(Open& entry);

  Edges& edges_;
  Settings settings_;
  Stop stop_;
  std::priority_queue<Open> open_;
  uint64_t order_ = 0;
  std::vector<Label> labels_;
  std::vector<std::vector<int>> at_;                            // labels expanded at each landmark
  std::vector<std::vector<std::pair<double, double>>> closed_;  // times and costs
  std::vector<std::vector<double>> gaps_;
  std::vector<std::vector<Step>> steps_at_;      // by landmark; scratch
  std::vector<int> stepped_;                     // landmarks of those
  std::vector<std::vector<Least>> static_ways_;  // by landmark, to those near it
  Found out_;
  bool late_ = false;
  int goal_ = -1;  // label at a goal, the cheapest so far
  size_t steps_ = 0;
};

}  // namespace surefoot::spacetime
