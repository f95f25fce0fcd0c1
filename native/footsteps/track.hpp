// A plan that is placed: where a body and its points are, at any time.
#pragma once

#include <memory>

#include "footsteps/acted.hpp"
#include "geometry/world.hpp"
#include "motion/stepper.hpp"

namespace surefoot::footsteps {

// Moments per second at which others look at a plan; in between it is linear. A power of two, so
// that moments are exact numbers.
inline constexpr double kRate = 16;

// A body at a moment.
struct Sight {
  Figure points;
  float girth;  // [m] of the one cylinder around it
};

// How plans are played.
struct Staging {
  std::shared_ptr<const Reel> reel;  // its pieces are the actions of the table
  int32_t stand;                     // the action that a body does whose plan is over
  double blend;                      // [s] of crossfades
};

// Throws where a reel does not have the steps of a table.
void check_staging(const Staging& staging, const StepTable& table);

class Track : public Carriers {
 public:
  // From `start` on; where each action ends, and on what: as on level ground where not given. What
  // carries the body moves as the world says now: a plan is frozen.
  Track(std::shared_ptr<const StepTable> table, const State& start, std::vector<int32_t> actions,
        std::span<const State> ends, std::vector<Treads> treads, const World* world);

  Pose pose(int32_t body, double t) const override;
  // What carries it, if anything does.
  const Carriers* carriers() const { return carried_by_.empty() ? nullptr : this; }
  // Whether it is carried on after its end, and by what.
  bool rides() const { return end_body() >= 0; }
  int32_t end_body() const { return states_.back().body; }
  // Whether one of its carriers moves otherwise now.
  bool stale(const World& world) const;

  const StepTable& table() const { return *table_; }
  const std::vector<int32_t>& actions() const { return actions_; }
  // Where each action begins, and where the last one ends: one more than there are actions.
  const std::vector<State>& states() const { return states_; }
  // The ground that feet come down to at the end of each action.
  const std::vector<Treads>& treads() const { return treads_; }
  double start() const { return states_.front().t; }
  double end() const { return states_.back().t; }
  // The action at `t`; after the end the last one.
  size_t index(double t) const;
  // Where the body travels at `t`, in the world: between the states, as its root goes.
  State at(double t) const;

  // Plays the plan beforehand, from where its body is after another one: so what others see is what
  // comes of it, feet that stay where they stand and crossfades included.
  // In a world feet are raised over what lies on their way; on level ground there is no need.
  void rehearse(const Staging& staging, const Track* before, Snapshot* world);
  bool uneven() const;
  bool rehearsed() const { return !bodies_.empty(); }
  // The body where an action begins, or where the last one ends.
  const Stepper& body(size_t action) const { return bodies_[action]; }
  // The body where another plan takes over: where an action begins, or at any time after the end.
  Stepper body_at(const Staging& staging, double t) const;
  // Plays an action on such a body; and lets one whose plan is over stand on for a while.
  void play(const Staging& staging, size_t action, Stepper& body, Lowering* sinking) const;
  void stay(const Staging& staging, Stepper& body, Lowering* sinking) const;

  // Points at the moment `i` after the beginning of time; the first and last ones outside. Who is
  // carried on after the end is seen where that takes it: in `spare`.
  const Sight& sight(int64_t moment, Sight& spare) const {
    const int64_t i = moment - first_;
    const auto last = static_cast<int64_t>(sights_.size()) - 1;
    if (i > last && rides()) return carried_on(moment, spare);
    return sights_[static_cast<size_t>(i < 0 ? 0 : (i > last ? last : i))];
  }
  // Points at `t` [s], between two moments.
  void seen(double t, Figure out) const;
  int64_t first_moment() const { return first_; }
  int64_t last_moment() const { return first_ + static_cast<int64_t>(sights_.size()) - 1; }
  // [m] that its fastest point goes between two moments, at most.
  float stride() const { return stride_; }
  // Sees to it that what holds the root does so until `t` [s] at least.
  void cover(double t);
  // What holds the root; of who is carried on after the end, for a while.
  float low_x() const { return low_.x; }
  float low_y() const { return low_.y; }
  float high_x() const { return high_.x; }
  float high_y() const { return high_.y; }

 private:
  const Sight& carried_on(int64_t moment, Sight& spare) const;
  void look();
  void measure();
  size_t first_at(double t) const;
  size_t shared(const Track& other, size_t from) const;

  std::shared_ptr<const StepTable> table_;
  std::vector<int32_t> actions_;
  std::vector<State> states_;
  std::vector<Treads> treads_;
  std::vector<Sight> sights_;
  std::vector<Stepper> bodies_;  // before each action, and after the last
  int64_t first_ = 0;
  float stride_ = 0;
  Point low_, high_;
  double covered_ = 0;  // [s]
  std::vector<std::pair<int32_t, TrajectoryPtr>> carried_by_;
};

// Samples of a table's actions as they are played from where each begins by itself.
void rehearse(StepTable& table, const Staging& staging);

// [s] times this close are the same.
inline constexpr double kSame = 1e-7;

// The body's points `u` (0 to 1) into an action from one state to another.
void pose(const StepTable& table, const State& from, const State& to, int32_t action, double u,
          Figure out);

}  // namespace surefoot::footsteps
