// Best-first search over footsteps (beacco2013, 5.3), and as an anytime search that repairs what it
// has found (ARA*, section 8): first quick and greedy, then, with the nodes that are left and
// without doing anything twice, better and better.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "footsteps/guide.hpp"

namespace surefoot::footsteps {

// What an action must be clear of; asked only when a node is about to be expanded.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  // Whether the body may do `action` from `from`. `to` is where it would end on level ground; on
  // other ground it comes to end elsewhere.
  virtual bool free(const State& from, int32_t action, State& to, Treads& treads) = 0;
  // Whether a body that has come to rest at `at` may stay there for good.
  virtual bool stays(const State& at, int32_t action) = 0;
};

struct WayPoint {
  double x, y, z;     // [m]
  double toll = 0;    // [J/kg] that getting there costs beyond the way: a jump, a crouch
  int32_t body = -1;  // in whose frame it is; -1: the world's own
};

// What is asked for one character.
struct Errand {
  State start;
  int32_t action;                 // the last one before the start
  std::span<const WayPoint> way;  // the last one is the goal
  double tolerance;               // [m] around the goal
  double heading;                 // [rad] to face there, in the goal's frame; NaN: any
  double heading_tolerance;       // [rad]
  double earliest, latest;        // [s] to arrive
  int32_t horizon;                // actions, after which the search is content; 0: only the goal
  int64_t budget;                 // nodes that may be expanded
  bool rough;                     // the ground asks for platform actions
  const Carriers* carriers = nullptr;  // bodies in whose frames states and way-points may be
};

struct SearchSettings {
  double weight = 1;       // of the heuristic, >= 1
  double way_point = 0.6;  // [m] around a way-point from which on the next one counts
  double merge = 0;        // [m] states closer than this are the same; 0: none are
  double merge_turn = 0;   // [rad] likewise
  double merge_time = 0;   // [s] likewise
  double first_weight =
      1;  // at which an anytime search begins; not anytime where it is not greater
  double weight_step = 0.5;  // by which its weight falls from round to round
};

struct Found {
  std::vector<int32_t> actions;  // with the stop that every plan ends in
  std::vector<State> ends;       // where each ends
  std::vector<Treads> treads;    // likewise
  int32_t chosen = 0;            // how many were searched for; the rest is the stop
  double cost = 0;               // [J/kg] of the chosen ones
  double left = 0;               // [J/kg] estimated from there to the goal
  // How many times as much as the best plan it costs at most, where the heuristic is no
  // overestimate and no states are merged; infinite where nothing is known.
  double bound = std::numeric_limits<double>::infinity();
  bool reached = false;    // the goal; otherwise as far as the horizon, or as it got
  bool exhausted = false;  // the budget ended it
  bool stuck = false;      // not even a stop is free
  int64_t expanded = 0, generated = 0, refused = 0;
};

// One thread's memory for searches: nothing is freed between them.
class Searcher {
 public:
  // Without a guide the heuristic is the optimal effort of 5.3.
  Searcher(const StepTable& table, const Guide* guide, const SearchSettings& settings);

  Found search(const Errand& errand, Surroundings& around);

 private:
  struct Node {
    State at;
    Treads treads;
    double g, h;
    int32_t parent, action, depth, way_point;
  };
  struct Open {
    double f, g;
    int32_t node;
  };
  struct Slot {
    uint64_t key = 0;
    double g = 0;
    uint32_t stamp = 0;
    int32_t round = -1;  // in which it was expanded last
  };
  enum class Seen { kNew, kBetter, kExpanded, kWorse };
  // The best end that was found.
  struct Best {
    int32_t node = -1;
    double total = std::numeric_limits<double>::infinity();  // [J/kg] with what is left
    bool reached = false;
    Found tail;  // its stop
  };

  void reset(const Errand& errand);
  double estimate(const Errand& errand, const State& at, int32_t action, int32_t way_point) const;
  bool arrived(const Errand& errand, const Node& node) const;
  uint64_t key(const Node& node) const;
  Slot* slot(uint64_t key);
  // How a state compares with what is known of others like it.
  Seen seen(const Node& node);
  void grow();
  void push(Node node);
  void wait(Node node);
  // Searches on with a weight until nothing that is open can lead to a better end than the best.
  void improve(const Errand& errand, Surroundings& around, Found& found);
  // The next round: what is open, and what was reached anew meanwhile, in the order of its weight.
  void reopen();
  void fall_back(const Errand& errand, Surroundings& around, Found& found);
  int32_t pop();
  void expand(const Errand& errand, int32_t index, Found& found);
  // The actions that bring a body to rest after a node, and `there` let it wait until it may have
  // arrived; false where they are not free.
  bool stop(const Errand& errand, const Node& node, bool there, Surroundings& around,
            Found& tail) const;
  void take(int32_t index, const Found& tail, Found& found) const;

  const StepTable& table_;
  const Guide* guide_;
  SearchSettings settings_;
  std::vector<Node> nodes_;
  std::vector<Open> open_;
  std::vector<int32_t> waiting_;  // reached more cheaply after they were expanded in this round
  // Expanded nodes, of which the one nearest to the goal is gone to when nothing better is found.
  std::vector<std::pair<double, int32_t>> sound_;
  Best best_;
  double weight_ = 1;
  int32_t round_ = 0;
  std::vector<double> left_;   // [m] from each way-point to the goal
  std::vector<double> climb_;  // [J/kg] likewise what going up and down costs
  std::vector<Slot> slots_;
  size_t known_ = 0;
  uint32_t stamp_ = 0;
};

}  // namespace surefoot::footsteps
