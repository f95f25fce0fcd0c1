// Controllers: which move to make next, for a task between the points of its grid.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "control/moves.hpp"
#include "learning/value_iteration.hpp"

namespace surefoot::control {

// What the place of a task (its first two axes) is about.
enum class Subject : int32_t { kTarget, kObstacle };
// Where the other axes of a task come from.
enum class Source : int32_t {
  kConstant,  // a number that stays
  kClock,     // a number of seconds that runs down
  kAside,     // [m]: how far the target is along a line, to the left of its normal
  kBehind,    // [m]: how far the target is behind a ditch
  kBearing,   // the direction of the target, as the obstacle sees it
  kApart,     // [m]: how far the target is from the obstacle
};

// What a controller is to do, seen from nowhere in particular.
struct Situation {
  Level target;                   // its heading does not matter
  Level obstacle;                 // a point, or a line through it with the heading as its normal
  std::vector<double> constants;  // one for each axis after the place
};

// What time is worth, and where a task ends.
struct Hurry {
  double discount = 1;    // per second
  double arrival = 0;     // [m]
  bool standing = false;  // whether only who stands is there
};

class Controller;
class Crossing;
class Detour;

// Who goes on once an obstacle is behind: a direction alone leads round and round a near target.
struct Handover {
  enum When : int32_t {
    kNever,
    kClear,   // the straight way to the target is clear of a cylinder of `size`
    kBeyond,  // the feet are behind a ditch of width `size`
    kNear,    // the end of a line is near
  };
  std::shared_ptr<const Controller> then;
  When when = kNever;
  double size = 0;

  // [m]: whose body is that far over a ditch when a foot comes down has that foot behind it.
  double landed() const { return 0.5 * size; }
};

// How deep actions get into what must not be, by the place of a task (its first two axes): from 0
// on it costs, from 1 on as much as can be. Between points of the grid the depth is known where
// what it costs, which falls steeply, is not.
struct Forbidden {
  std::vector<float> depths;  // actions x places, or none
  size_t places = 1;
  double too_bad = 0;

  double costs(double depth) const { return too_bad * std::clamp(depth, 0.0, 1.0); }
};

class Controller {
 public:
  // `actions`: what the table calls actions, as the moves number them.
  Controller(std::shared_ptr<const Moves> moves,
             std::shared_ptr<const learning::ValueIteration> learned, std::vector<float> values,
             std::vector<int32_t> policy, std::vector<int32_t> actions, Subject subject,
             std::vector<Source> sources, Handover handover, Forbidden forbidden, Hurry hurry);
  ~Controller();

  const Moves& moves() const { return *moves_; }
  size_t states() const { return learned_->table().states; }
  const learning::TaskSpace& space() const { return learned_->space(); }
  // Brings constants to the ends of their axes: beyond those nothing else was learned.
  void confine(Situation& situation) const;
  // Whether its task is done only by who stands.
  bool ends_standing() const { return hurry_.standing; }

  // Who decides for a body that is `here` in a state.
  const Controller& deciding(const Situation& situation, const Level& here, size_t state,
                             double radius) const;
  // The task of a body that is `here`, `elapsed` seconds after the beginning.
  void task(const Situation& situation, const Level& here, double elapsed, double* out) const;
  // The best action in a state for a task, by one look ahead among those that are best at the
  // grid points around it: the time this takes does not depend on how many actions there are. -1
  // where nothing can be done. `radius` [m]: how near to the target is near enough.
  int choose(size_t state, const double* task, double radius) const;
  // The best of all actions but some; -1 where there is none.
  int choose_other(size_t state, const double* task, double radius,
                   const std::vector<int>& but) const;
  // [s]: how long it takes from a state to a target at x, y, where that is all that the task is
  // about.
  double time(size_t state, double x, double y, double radius) const;

 private:
  // The points of the grid around a task.
  struct Around {
    std::array<size_t, size_t{1} << learning::kMostAxes> places;
    std::array<float, size_t{1} << learning::kMostAxes> weights;
    size_t count = 0;
  };
  Around around(const double* task) const;
  // What an action of the table is worth, looking one action ahead.
  double worth(size_t state, size_t action, const double* task, const Around& around) const;

  friend class Crossing;
  friend class Detour;
  std::shared_ptr<const Moves> moves_;
  std::shared_ptr<const learning::ValueIteration> learned_;
  std::vector<float> values_;
  std::vector<int32_t> policy_, actions_;
  learning::Relation relation_;
  Subject subject_;
  std::vector<Source> sources_;
  Handover handover_;
  Forbidden forbidden_;
  Hurry hurry_;
  double rate_;  // at which time counts less
  bool rewards_there_;
  // Who looks ahead, where it is about a ditch or a cylinder.
  std::unique_ptr<const Crossing> crossing_;
  std::unique_ptr<const Detour> detour_;
};

}  // namespace surefoot::control
