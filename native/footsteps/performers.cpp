#include "footsteps/performers.hpp"

#include <algorithm>

namespace surefoot::footsteps {
namespace {

constexpr double kSame = 1e-7;  // [s]

Spot spot_of(const State& s) { return {s.x, s.y, s.z, s.heading}; }

}  // namespace

void Performers::follow(Stepper& body, const Track& track, double t) const {
  const auto& states = track.states();
  while (body.until() <= t + kSame) {
    const auto next =
        std::lower_bound(states.begin(), states.end(), body.until() - kSame,
                         [](const State& state, double time) { return state.t < time; });
    const auto i = static_cast<size_t>(next - states.begin());
    if (i < track.actions().size() && states[i].t <= body.until() + kSame) {
      body.append(*reel_, track.actions()[i], spot_of(states[i + 1]), blend_);
    } else if (i < track.actions().size() && states[i].t < body.until() + 0.5) {
      // It stands until its plan begins, which is not for a whole stand-still action any more.
      body.wait(states[i].t);
      if (states[i].t > t + kSame) return;
    } else {
      const State at = i < states.size() ? states[i] : states.back();
      body.append(*reel_, stand_, spot_of(at), blend_);
    }
  }
}

void Performers::perform(std::span<const int32_t> ids,
                         std::span<const std::shared_ptr<Track>> tracks, double t,
                         const Played& out, int threads, const Interrupt& interrupt) {
  std::vector<Stepper*> bodies(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const Track& track = *tracks[i];
    const State& start = track.states()[track.index(t)];
    auto found = bodies_.find(ids[i]);
    // Who was not looked at for long is looked at anew.
    if (found != bodies_.end() && found->second.until() < track.start() - 1.0 &&
        found->second.until() < t - 1.0)
      bodies_.erase(found), found = bodies_.end();
    if (found == bodies_.end())
      found = bodies_.emplace(ids[i], Stepper(spot_of(start), std::min(start.t, t))).first;
    bodies[i] = &found->second;
  }
  std::vector<Beat> beats(ids.size());
  std::vector<double> times(ids.size(), t);
  parallel_for(ids.size(), threads, 16, interrupt, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      follow(*bodies[i], *tracks[i], t);
      beats[i] = bodies[i]->beat(t);
    }
  });
  play_resting(*reel_, beats, times, out, threads, interrupt);
}

}  // namespace surefoot::footsteps
