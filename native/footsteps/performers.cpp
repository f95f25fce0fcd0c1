#include "footsteps/performers.hpp"

#include <algorithm>

namespace surefoot::footsteps {

Performers::Performers(Staging staging) : staging_(std::move(staging)) {
  require(staging_.reel != nullptr, "performers need a reel");
  check_index(staging_.stand, staging_.reel->pieces.size(), "stand");
  check_number(staging_.blend, "blend", 0, kMaxTime);
}

// Goes over to the piece that a plan has at `t`, if that is another one.
void Performers::follow(Body& body, const Track& track, double t) const {
  if (t < track.end() - kSame) {
    const size_t i = track.index(t + kSame);
    const double begins = track.states()[i].t;
    if (body.plays(track.actions()[i], begins)) return;
    body.steps = track.body(i);
    track.play(staging_, i, body.steps, &body.sinking);
    body.piece = track.actions()[i], body.began = begins;
    return;
  }
  // Its plan is over: it stands on.
  const Piece& stand = reel().pieces[static_cast<size_t>(staging_.stand)];
  const double length = (stand.end - stand.begin) / stand.speed;
  const double begins = track.end() + std::floor((t + kSame - track.end()) / length) * length;
  if (body.plays(staging_.stand, begins)) return;
  if (std::abs(body.steps.until() - begins) > kSame) body.steps = track.body_at(staging_, begins);
  track.stay(staging_, body.steps, &body.sinking);
  body.piece = staging_.stand, body.began = begins;
}

void Performers::perform(std::span<const int32_t> ids,
                         std::span<const std::shared_ptr<Track>> tracks, double t,
                         const Played& out, int threads, const Interrupt& interrupt) {
  check_time(t, "t");
  check_count(tracks.size(), "tracks", ids.size(), "ids");
  for (const auto& track : tracks) {
    require(track != nullptr && track->rehearsed(), "a track must be rehearsed to be performed");
    check_count(track->table().actions.size(), "a track's table", reel().pieces.size(), "the reel");
  }
  std::vector<Body*> bodies(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    const double never = -std::numeric_limits<double>::infinity();
    const auto [found, fresh] =
        bodies_.try_emplace(ids[i], Body{Stepper({}, never), {}, -1, never});
    bodies[i] = &found->second;
  }
  std::vector<Beat> beats(ids.size());
  std::vector<double> times(ids.size(), t);
  std::vector<const Carriers*> carriers(ids.size());
  parallel_for(ids.size(), threads, 16, interrupt, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) {
      follow(*bodies[i], *tracks[i], t);
      beats[i] = bodies[i]->steps.beat(t);
      carriers[i] = tracks[i]->carriers();
    }
  });
  // One set for each: a set of one would be meant for all.
  if (!ids.empty()) play_on(reel(), beats, times, carriers, out, threads, interrupt);
}

}  // namespace surefoot::footsteps
