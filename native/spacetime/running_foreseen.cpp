// What is known of a way before it is gone.
#include "spacetime/running.hpp"

namespace surefoot::spacetime {
namespace {

constexpr double kMoment = 1e-9;  // [s]

}  // namespace

// Whether what is under way is done without meeting anything, or leads to a target before.
bool Running::ends_well(const State& state, double arrived, const Skill& skill,
                        const control::Target& target, const control::Limits& limits) {
  control::Roller roller(*skill.go, &view_, skill.needs, limits);
  roller.roll(state.arrived, arrived, target, {}, rollout_);
  const bool met = rollout_.ending == control::Ending::kCollided ||
                   rollout_.ending == control::Ending::kUnsupported;
  return !met && !brushed(rollout_, skill.needs.shape);
}

// Whoever goes on at once ends what is under way first, wherever to. Where that meets something,
// only what is reached before can be gone for.
bool Running::foreseen(int from, int id, double arrived, double departs, int controller, int to) {
  if (departs > arrived + kMoment || like_[controller] >= 64) return false;
  State& state = memory_.states[id];
  const Skill& skill = skills_[controller];
  const control::Target there = target(from, to, skill);
  const uint64_t like = uint64_t{1} << like_[controller];
  if (!(state.asked_under_way & like)) {
    state.asked_under_way |= like;
    const control::Limits none{0.0, 0.0, settings_.tolerance};
    if (!ends_well(state, arrived, skill, there, none)) state.meets_under_way |= like;
  }
  if (!(state.meets_under_way & like)) return false;
  failed_ = control::Ending::kStuck;
  const control::Limits at_once{-1.0, -1.0, settings_.tolerance};
  return !(ends_well(state, arrived, skill, there, at_once) &&
           rollout_.ending == control::Ending::kReached);
}

}  // namespace surefoot::spacetime
