// Edges that controllers run, adapted to a world that moves (levine2011, 4.2 and 5.1).
#pragma once

#include <functional>

#include "control/adaptation.hpp"
#include "spacetime/arrivals.hpp"
#include "spacetime/edges.hpp"
#include "spacetime/likely.hpp"
#include "spacetime/meetings.hpp"
#include "spacetime/memory.hpp"
#include "spacetime/outlook.hpp"

namespace surefoot::spacetime {

// A controller, and what it may be used for.
struct Skill {
  std::shared_ptr<const control::Controller> go;
  std::shared_ptr<const control::Controller> wait;  // gets ready for it
  size_t wait_axes = 0;                             // constants of its task
  control::Needs wait_needs;
  std::shared_ptr<const control::Controller> halt;  // stands at a target; may be none
  double wait_speed = 1;                            // [m/s]
  control::Adapting how;
  control::Needs needs;
  Crossing crosses;             // what it can cross from body to body
  double speed = 1, carry = 0;  // [m/s], [m]: see surefoot.control.Bounds
  double arrival = 0.5;         // [m]
  std::vector<double> covered;  // [m] at most, from a stand, after every tenth of a second
  double rate = 1;              // [1/s] that it costs, beside what follows
  double lower = 1;             // [1/s]: no second costs less
  double metre = 0;             // [1/m]: no metre costs less
  bool along = true;            // goes over ground that moves as one
  bool across = true;           // goes from that to other ground
  bool jumps = false;           // from one to the other
  std::vector<int> around;      // skills to try where something is in its way
  std::vector<int> over;        // likewise where there is no ground
};

// What is charged beside the rates of skills.
struct Charges {
  double waiting = 1;            // [1/s]
  double per_speed_squared = 0;  // [1/s per (m/s)^2]
  std::vector<double> on_body;   // [1/s] by body
  // What a user's own function adds for a way: skill, times, positions, velocities.
  std::function<double(int, const std::vector<double>&, const std::vector<Vec3>&,
                       const std::vector<Vec3>&)>
      own;
};

struct RunningSettings {
  double spread = 4.0;       // [s] that a way may take beyond its bound
  double readying = 4.0;     // [s] of a wait in which one gets ready for what is next
  double tolerance = 0.005;  // [s] of contacts
  double boarding = 1.5;     // [m]: how near to a landmark of another body is enough
  bool anywhere = false;     // or wherever on that body one comes to be
  double stands_at = 0.5;    // [m]: how near to a landmark one stands
  double doubt = 3.0;        // [s] for each failure of a way about a time
};

// What is left to goals.
struct Remaining {
  std::vector<double> ahead;          // by landmark: costs no less, whatever the time
  const Arrivals* soonest = nullptr;  // when one is there at the earliest, where that is asked for
  const Likely* likely = nullptr;     // and most likely
  double second = 1;                  // [1/s]: no second costs less
};

// A way that is not to be taken, whatever it looks like.
struct Refused {
  int from, to, skill;
  double departs;  // [s]
};

// Times of settling that are tried in turn [s].
inline constexpr double kSettling[] = {0.5, 2.0};
class Running final : public Edges {
 public:
  using State = RunState;

  Running(Snapshot& view, const Meetings& meetings, std::vector<Skill> skills,
          std::vector<bool> jumping, const Charges& charges, std::vector<double> radii,
          Remaining remaining, std::vector<bool> goals, RunMemory& memory,
          const RunningSettings& settings);

  int add(const control::Configuration& configuration);
  // Where searches begin: nobody who comes from elsewhere is there.
  void begin_at(int landmark) { begins_ = landmark; }
  void refuse(std::vector<Refused> ways) { refused_ = std::move(ways); }
  const State& state(int id) const { return memory_.states[id]; }

  size_t landmarks() const override { return meetings_.size(); }
  std::span<const int> near(int landmark) const override { return meetings_.near(landmark); }
  double in_reach(int from, int to, int controller, double t) override {
    return meetings_.crossable(from, to, t, skills_[controller].crosses);
  }
  std::span<const int> choices(int from, int to) const override;
  std::span<const int> instead(int controller, int from, int to) const override;
  Bound bound(int from, int state, double arrived, double departs, int controller, int to) override;
  Bound likely(const Bound& least, int from, int state, double arrived, double departs,
               int controller, int to) override;
  bool in_order(int from, int to) const override {
    return meetings_.landmarks()[from].frame == meetings_.landmarks()[to].frame;
  }
  double spread() const override { return settings_.spread; }
  bool foreseen(int from, int state, double arrived, double departs, int controller,
                int to) override;
  std::optional<Arrived> go(int from, int state, double arrived, double departs, int controller,
                            int to) override;
  double settled(int landmark, int state, double arrived) override;
  double halting(int landmark, int state, double arrived) override;
  bool stays(int landmark, int state, double arrived, double until) override;
  Left left(int landmark, double t, int from) const override;
  double ahead(int landmark) const override { return remaining_.ahead[landmark]; }
  Least least(int from, int to, double waiting) const override;
  bool goal(int landmark) const override { return goals_[landmark]; }

 private:
  void know_little();
  bool refused(int from, int to, int controller, double departs) const;
  std::optional<Arrived> recall_or_try(int from, int state, double arrived, double departs,
                                       int controller, int to);
  double unhindered(int from, int state, double arrived, double departs, int controller,
                    int to) const;
  Tries& experience(int from, int state, double arrived, double departs, int controller, int to);
  size_t across_row(int controller, size_t manner) const;
  std::pair<Vec3, Vec3> crossed(int from, int state, bool waited, double then, int to) const;
  size_t crossing_kind(int from, int state, bool waited, double departs, int to) const;
  size_t manner(int from, int state, bool waited, double departs, int to) const;
  bool ends_well(const State& state, double arrived, const Skill& skill,
                 const control::Target& target, const control::Limits& limits);
  std::optional<Arrived> try_to_go(int from, int state, double arrived, double departs,
                                   int controller, int to);
  // Where one is who departs, in the frame.
  Vec3 departs_from(int state, bool waited) const;
  double radius(int from, int to, const Skill& skill) const;
  bool boards(int from, int to) const;
  control::Target target(int from, int to, const Skill& skill) const;
  int nearest_on(int landmark, Vec3 place) const;
  // Waits and gets ready for a landmark; with a world, exactly as it will be, and nothing where
  // that fails; without one, as on level ground, which is a good guess.
  std::optional<control::Configuration> ready(const State& state, double& departs,
                                              const Skill& skill, int to, bool exactly);
  void adapt(const control::Configuration& start, double begins, const Skill& skill, int from,
             int to, double longest);
  // Whether one comes to a stand in a way.
  bool halt(State& state, double arrived, Halt how);
  bool settle(State& state, double arrived);
  bool stands_by(State& state, double arrived, Halt how);
  bool stands(const control::Configuration& configuration) const;
  bool crosses_well(const Landmark& from, const Landmark& to);
  bool leaps(const control::Piece& piece) const;
  bool brushed(const control::Rollout& rollout, const Shape& shape);
  bool on_ground(const control::Configuration& configuration, double t,
                 const control::Needs& needs);
  double widest(double t, int frame);
  double cost(int skill, const control::Rollout& rollout);
  Vec3 seen_from(const State& state, int to, double departs, double speed);

  Snapshot& view_;
  const Meetings& meetings_;
  std::vector<Skill> skills_;
  Charges charges_;
  std::vector<double> radii_;  // negative where it is the controller's own
  Remaining remaining_;
  mutable std::optional<Outlook> outlook_;  // what is likely by now, solved when it is asked for
  std::vector<bool> goals_;
  RunningSettings settings_;
  std::vector<int> along_, across_;
  std::vector<size_t> like_;   // by skill: the first one that needs the same
  std::vector<bool> jumping_;  // actions that jump
  std::vector<Refused> refused_;
  int begins_ = -1;  // landmark
  RunMemory& memory_;
  control::Ending failed_ = control::Ending::kReached;  // how the last way did, and
  bool passing_ = false;                                // whether what it met moves
  control::Adapted adapted_;                            // scratch
  control::Rollout rollout_;                            // scratch
  std::vector<double> times_;
  std::vector<Vec3> points_, velocities_;
};

}  // namespace surefoot::spacetime
