// Edges: what a search through time asks about going from landmark to landmark (levine2011, 5.1).
//
// A search knows landmarks and controllers by number, and configurations by handles that the edges
// give out. Whoever answers decides what a world is: controllers among bodies that move
// (running.hpp), or a timetable (timetable.hpp).
#pragma once

#include <optional>
#include <span>

#include "geometry/vec.hpp"

namespace surefoot::spacetime {

// No way takes less time, or costs less; and what is likely.
struct Bound {
  double time = kInfinity, cost = kInfinity;
  double likely_time = kInfinity, likely_cost = kInfinity;
};

// What no way between two landmarks undercuts at any time, by whatever controller.
struct Least {
  double time = kInfinity, cost = kInfinity;
  double beyond = kInfinity;  // cost, less what waiting costs as long
};

// What is left to a goal costs no less; and what is likely.
struct Left {
  double least = kInfinity, likely = kInfinity;
  bool hope = false;  // whether a way is likely at all, in the time that is looked at
};

// How a landmark was reached.
struct Arrived {
  double time, cost;
  int state;     // the configuration then
  int landmark;  // where it is: where it was sent, or elsewhere on that ground
};

class Edges {
 public:
  virtual ~Edges() = default;

  virtual size_t landmarks() const = 0;
  // Landmarks that can ever be gone to from another one, in order.
  virtual std::span<const int> near(int landmark) const = 0;
  // The first moment from t on at which one may depart from one landmark to another by a
  // controller; infinity for none.
  virtual double in_reach(int from, int to, int controller, double t) = 0;
  // Controllers that may go from one landmark to another, in order.
  virtual std::span<const int> choices(int from, int to) const = 0;
  // Controllers to try where one has failed.
  virtual std::span<const int> instead(int controller, int from, int to) const = 0;
  // What the way takes at least from a departure on.
  virtual Bound bound(int from, int state, double arrived, double departs, int controller,
                      int to) = 0;
  // With what is likely, as far as that is known.
  virtual Bound likely(const Bound& least, int, int, double, double, int, int) { return least; }
  // Whether one never arrives earlier by departing later, having waited.
  virtual bool in_order(int from, int to) const = 0;
  // A way takes at most this much longer than its bound.
  virtual double spread() const = 0;
  // Whether it is known that there is no way, without going it.
  virtual bool foreseen(int, int, double, double, int, int) { return false; }
  // Goes there: from a configuration that arrived somewhere, and waited there until it departs.
  // The cost is that of the way alone; nothing where there is no way.
  virtual std::optional<Arrived> go(int from, int state, double arrived, double departs,
                                    int controller, int to) = 0;
  // From when on somebody who arrives can depart after a wait; infinity where nobody can stop.
  virtual double settled(int landmark, int state, double arrived) = 0;
  // What it costs to come to a stand, beyond a wait that lasts as long.
  virtual double halting(int, int, double) { return 0; }
  // Whether one who arrived and stopped can stay until a time.
  virtual bool stays(int landmark, int state, double arrived, double until) = 0;
  // What is left to a goal from a landmark to which one came from another (-1: from none).
  virtual Left left(int landmark, double t, int from) const = 0;
  // No more than what is left to a goal costs, whatever the time.
  virtual double ahead(int landmark) const = 0;
  // Of ways from one landmark to another one near it, where a second of waiting costs so much.
  virtual Least least(int from, int to, double waiting) const = 0;
  virtual bool goal(int landmark) const = 0;
};

}  // namespace surefoot::spacetime
