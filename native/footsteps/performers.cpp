#include "footsteps/performers.hpp"

#include <algorithm>

namespace surefoot::footsteps {
namespace {

constexpr double kSame = 1e-7;  // [s]

Spot spot_of(const State& s) { return {s.x, s.y, s.z, s.heading}; }

}  // namespace

void Performers::follow(Body& body, const Track& track, double t) const {
  const auto& states = track.states();
  Stepper& steps = body.steps;
  const auto first_at = [&](double time) {
    const auto next =
        std::lower_bound(states.begin(), states.end(), time - kSame,
                         [](const State& state, double earliest) { return state.t < earliest; });
    return static_cast<size_t>(next - states.begin());
  };
  if (body.fills) {
    // A plan that begins meanwhile ends the stand: later its first steps would be missed.
    const size_t i = first_at(body.shown);
    if (i < track.actions().size() && states[i].t < steps.until() - kSame) steps.wait(states[i].t);
  }
  while (steps.until() <= t + kSame) {
    const size_t i = first_at(steps.until());
    body.fills = false;
    if (i < track.actions().size() && states[i].t <= steps.until() + kSame) {
      steps.append(*reel_, track.actions()[i], spot_of(states[i + 1]), blend_);
    } else if (i < track.actions().size() && states[i].t < steps.until() + 0.5) {
      // It stands until its plan begins, which is not for a whole stand-still action any more.
      steps.wait(states[i].t);
      if (states[i].t > t + kSame) break;
    } else {
      const State at = i < states.size() ? states[i] : states.back();
      steps.append(*reel_, stand_, spot_of(at), blend_);
      body.fills = true;
    }
  }
  body.shown = t;
}

void Performers::perform(std::span<const int32_t> ids,
                         std::span<const std::shared_ptr<Track>> tracks, double t,
                         const Played& out, int threads, const Interrupt& interrupt) {
  std::vector<Body*> bodies(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const Track& track = *tracks[i];
    const State& start = track.states()[track.index(t)];
    auto found = bodies_.find(ids[i]);
    // Who was not looked at for long is looked at anew.
    if (found != bodies_.end() && found->second.steps.until() < track.start() - 1.0 &&
        found->second.steps.until() < t - 1.0)
      bodies_.erase(found), found = bodies_.end();
    if (found == bodies_.end())
      found = bodies_.emplace(ids[i], Body{Stepper(spot_of(start), std::min(start.t, t)), t}).first;
    bodies[i] = &found->second;
  }
  std::vector<Beat> beats(ids.size());
  std::vector<double> times(ids.size(), t);
  parallel_for(ids.size(), threads, 16, interrupt, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      follow(*bodies[i], *tracks[i], t);
      beats[i] = bodies[i]->steps.beat(t);
    }
  });
  play_resting(*reel_, beats, times, out, threads, interrupt);
}

}  // namespace surefoot::footsteps
