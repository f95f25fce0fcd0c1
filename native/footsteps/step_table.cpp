#include "footsteps/step_table.hpp"

#include "geometry/checks.hpp"

namespace surefoot::footsteps {

void StepTable::check() const {
  const size_t n = actions.size();
  require(n > 0, "a step table needs an action");
  check_count(offsets.size(), "offsets", n + 1, "the actions (one more)");
  check_count(usual.size(), "usual", n, "the actions");
  check_count(changes.size(), "changes", successors.size(), "the successors");
  check_count(samples.size(), "samples", n * kSamples * kPoints * 3, "the actions");
  check_offsets(std::span<const int32_t>(offsets), successors.size(), "offsets");
  check_indices(std::span<const int32_t>(successors), n, "successors");
  check_finite<InputError, float>(samples, "samples");
  check_finite<InputError, float>(changes, "changes");
  for (int point = 0; point < kPoints; ++point) {
    check_size(static_cast<double>(radii[point]), "the radius of a cylinder");
    check_coordinate(static_cast<double>(low[point]), "the lower end of a cylinder");
    check_coordinate(static_cast<double>(high[point]), "the upper end of a cylinder");
  }
  check_size(static_cast<double>(sole), "sole");
  check_number(price, "price", 0, kMaxSize);
  for (size_t i = 0; i < n; ++i) {
    const Action& a = actions[i];
    check_coordinate(a.dx, "dx");
    check_coordinate(a.dy, "dy");
    check_finite(a.turn, "turn");
    require(a.duration > 0 && a.duration <= kMaxTime, "duration is ", a.duration,
            " s; an action must last longer than nothing");
    check_finite(a.effort, "effort");
    check_finite(a.excess, "excess");
    check_index(a.shape, n, "shape");
    check_index(a.stop, n, "stop");
    require(usual[i] >= offsets[i] && usual[i] <= offsets[i + 1], entry("usual", i), " is ",
            usual[i], "; it must be from ", offsets[i], " to ", offsets[i + 1]);
    size_t at = i, steps = 0;
    while (!actions[at].stands && steps++ <= n) at = static_cast<size_t>(actions[at].stop);
    require(actions[at].stands, "action ", i, " never comes to a stand");
  }
}

void check_state(const State& state, const char* name) {
  check_position({state.x, state.y, state.z}, name);
  check_finite(state.heading, "heading");
  check_time(state.t, "t");
  for (const double foot : state.feet) check_coordinate(foot, "the height under a foot");
  for (const int32_t body : {state.body, state.on[0], state.on[1]})
    require(body >= -1, "body is ", body, "; it must be an id, or -1 for what rests");
}

}  // namespace surefoot::footsteps
