#include "motion/stepper.hpp"

#include <algorithm>
#include <cmath>

#include "motion/easing.hpp"

namespace surefoot {
namespace {

constexpr double kLongest = 0.4;  // [s] of a beat
constexpr double kSample = 1.0 / 60.0;
constexpr double kArch = 0.35;
constexpr double kHeldBack = 0.35;  // how far a foot waits, of how far it has to go up

FootBeat nowhere() {
  FootBeat foot{};
  foot.body = -1;
  foot.rotation[0] = 1;
  return foot;
}

void put_fall(const Fall& fall, double& flat, double* anchor) {
  flat = fall.flat;
  anchor[0] = fall.position.x, anchor[1] = fall.position.y, anchor[2] = fall.position.z;
}

Playback playback(const Take& take, double from, double speed, double start, double until,
                  double halts, const LevelFrame& begin, const LevelFrame& finish,
                  double frame_start, double frame_end) {
  return {take.first, take.frames, take.rate, from,   speed,       start,
          until,      halts,       begin,     finish, frame_start, frame_end};
}

template <class Legs>
size_t leg_at(const Legs& legs, double t, bool ends) {
  for (size_t i = 0; i < legs.size(); ++i)
    if (t < legs[i].end - 1e-9 || (ends && t <= legs[i].end + 1e-9)) return i;
  return legs.size() - 1;
}

}  // namespace

void play_on(const Reel& reel, std::span<const Beat> beats, std::span<const double> times,
             std::span<const Carriers* const> carriers, const Played& out, int threads,
             const Interrupt& interrupt) {
  std::vector<double> bodies(beats.size() * 7 * kSlots, 0.0);
  for (size_t i = 0; i < beats.size() * kSlots; ++i) bodies[7 * i + 3] = 1;
  for (size_t i = 0; i < beats.size(); ++i) {
    const Carriers* own = carriers[carriers.size() == 1 ? 0 : i];
    if (own == nullptr) continue;
    const Beat& beat = beats[i];
    const double slots[kSlots] = {beat.in.begin.body,   beat.in.finish.body, beat.out.begin.body,
                                  beat.out.finish.body, beat.feet[0].body,   beat.feet[1].body};
    for (size_t slot = 0; slot < kSlots; ++slot) {
      if (slots[slot] < 0) continue;
      const auto [p, q] = own->pose(static_cast<int32_t>(slots[slot]), times[i]);
      const double row[7] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
      std::copy(row, row + 7, bodies.data() + 7 * (kSlots * i + slot));
    }
  }
  play(reel.footage(), reel.shape, beats, times, bodies.data(), out, threads, interrupt);
}

Beat Stepper::row(const Reel& reel, const Cue& cue, const Leg& leg, double blend) const {
  Beat beat{};
  beat.follow = reel.follow;
  beat.start = leg.start, beat.end = leg.end;
  beat.feet[0] = beat.feet[1] = nowhere();
  beat.in = playback(*cue.take, cue.begin, cue.speed, cue.start, cue.until, 1, leg.begin,
                     leg.finish, leg.start, leg.end);
  if (first_ || blend <= 0) {
    beat.out = beat.in;
    return beat;
  }
  const double halts = cue.start > last_cue_.until + 1e-9 ? 1 : 0;
  beat.out =
      playback(*last_cue_.take, last_cue_.begin, last_cue_.speed, last_cue_.start, last_cue_.until,
               halts, last_leg_.begin, last_leg_.finish, last_leg_.start, last_leg_.end);
  beat.blend_start = cue.start, beat.blend_duration = blend;
  return beat;
}

namespace {

template <class Phase>
void put_stance(FootBeat& foot, const Phase& phase) {
  foot.stands = 1;
  foot.body = phase.hold.body;
  foot.position[0] = phase.hold.position.x, foot.position[1] = phase.hold.position.y;
  foot.position[2] = phase.hold.position.z;
  foot.rotation[0] = phase.hold.rotation.w, foot.rotation[1] = phase.hold.rotation.x;
  foot.rotation[2] = phase.hold.rotation.y, foot.rotation[3] = phase.hold.rotation.z;
  if (phase.fall != nullptr) {
    put_fall(*phase.fall, foot.flat_in, foot.anchor_in);
    foot.flat_out = phase.fall->flat;
    std::fill(foot.anchor_out, foot.anchor_out + 3, std::nan(""));
  }
  if (phase.before != nullptr) put_fall(*phase.before, foot.flat_out, foot.anchor_out);
}

template <class Phase>
void put_foot(FootBeat& foot, const Phase& phase) {
  if (phase.stands) {
    put_stance(foot, phase);
    return;
  }
  foot.leave = phase.leave, foot.land = phase.land;
  if (!phase.lands) return;
  foot.arch_start = phase.start, foot.arch_duration = phase.end - phase.start;
  foot.arch_height = phase.arch;
  // Up a step early, down one late; up, toes wait until they are over its edge, down, heels go
  // ahead, as in motion/playing/feet.py.
  const double climb = phase.way.z, share = std::min(std::abs(climb) / 0.15, 1.0);
  const double early = kArch - 0.07 * share;
  foot.arch_rise = climb > 0 ? early : kArch;
  foot.arch_fall = climb > 0 ? kArch : early;
  const double length = std::max(std::hypot(phase.way.x, phase.way.y), 1e-6);
  const double back = -std::clamp(kHeldBack * climb, -0.2 * length, 0.2 * length) / length;
  foot.held_back[0] = back * phase.way.x, foot.held_back[1] = back * phase.way.y;
}

// What poses of a few beats give beyond the poses.
struct Looked {
  std::vector<double> root, local, offsets, needed;
  std::vector<uint8_t> contacts;

  Looked(const Reel& reel, std::span<const Beat> beats, std::span<const double> times,
         const Carriers* carriers)
      : root(3 * beats.size()),
        local(4 * static_cast<size_t>(reel.shape.joints) * beats.size()),
        offsets(2 * kOffset * beats.size()),
        needed(beats.size()),
        contacts(4 * beats.size()) {
    play_on(reel, beats, times, {&carriers, 1},
            {root.data(), local.data(), contacts.data(), offsets.data(), needed.data()}, 1, {});
  }
};

}  // namespace

// Measures how far feet are from the clips when they leave the ground and meet it.
void Stepper::ease(const Reel& reel, const std::vector<Leg>& legs, const std::vector<Beat>& rows,
                   std::vector<Phase>* own, const Carriers* carriers) const {
  struct Question {
    Ease* ease;
    int foot;
    double step;
    bool lands;
  };
  std::vector<Question> questions;
  std::vector<Beat> beats;
  std::vector<double> times;
  for (int foot = 0; foot < 2; ++foot)
    for (size_t i = 0; i + 1 < own[foot].size(); ++i) {
      Phase &before = own[foot][i], &phase = own[foot][i + 1];
      const bool lands = phase.stands && !before.stands;
      if (!lands && !(before.stands && !phase.stands)) continue;
      const double t = phase.start;
      Ease& ease = lands ? before.land : phase.leave;
      ease.start = lands ? before.start : t;
      ease.duration = lands ? t - before.start : (phase.lands ? phase.end - t : kEasing);
      Beat beat = rows[leg_at(legs, t, lands)];
      put_stance(beat.feet[foot], lands ? phase : before);
      // Rates are taken a frame inside the stance: beside it there is a kink.
      const double step = (lands ? 1 : -1) / (beat.in.rate * beat.in.speed);
      questions.push_back({&ease, foot, step, lands});
      for (int k = 0; k < 3; ++k) beats.push_back(beat), times.push_back(t + k * step);
    }
  if (questions.empty()) return;
  const Looked looked(reel, beats, times, carriers);
  for (size_t q = 0; q < questions.size(); ++q) {
    const auto [ease, foot, step, lands] = questions[q];
    const auto offset = [&](size_t k, int i) {
      return looked.offsets[2 * kOffset * (3 * q + k) + static_cast<size_t>(kOffset * foot + i)];
    };
    for (int i = 0; i < kOffset; ++i) {
      ease->value[i] = offset(0, i);
      ease->rate[i] = (offset(2, i) - offset(1, i)) / step;
      if (lands && i >= kOffset - 3) ease->rate[i] = 0;  // the body arrives at rest
    }
  }
}

// Lowers the pelvis as far as the legs ask for.
void Stepper::lower(const Reel& reel, Lowering& sinking, const Carriers* carriers) {
  const double begin = beats_.front().start, end = beats_.back().end;
  const auto count = static_cast<size_t>(std::max(std::ceil((end - begin) / kSample), 2.0)) + 1;
  std::vector<double> times(count);
  std::vector<Beat> asked;
  asked.reserve(count);
  size_t which = 0;
  for (size_t i = 0; i < count; ++i) {
    times[i] = begin + (end - begin) * static_cast<double>(i) / static_cast<double>(count - 1);
    while (which + 1 < beats_.size() && beats_[which + 1].start <= times[i]) ++which;
    asked.push_back(beats_[which]);
  }
  const Looked looked(reel, asked, times, carriers);
  sinking.grow(times, looked.needed);
  for (Beat& beat : beats_)
    for (int i = 0; i < kDrops; ++i)
      beat.drops[i] = sinking.at(beat.start + (beat.end - beat.start) * (i - 1) / (kDrops - 3));
}

void Stepper::append(const Reel& reel, int32_t piece, const Spot& to, const Treading& ground,
                     double blend, Lowering* sinking, const Carriers* carriers) {
  const Piece& part = reel.pieces[piece];
  Cue cue;
  cue.take = &reel.takes[part.take];
  cue.piece = piece;
  cue.begin = part.begin, cue.end = part.end, cue.speed = part.speed;
  const double length = part.end - part.begin;
  if (part.stands && !first_ && last_cue_.piece == piece &&
      last_cue_.end + length <= cue.take->duration)
    cue.begin = last_cue_.end, cue.end = last_cue_.end + length;
  cue.start = until_;
  cue.until = until_ + length / part.speed;
  blend = first_ ? 0.0 : std::min(std::max(blend, part.blend), cue.until - cue.start);

  const LevelFrame frame = aligned(going_, *cue.take, cue.begin);
  Entered entered[2] = {enter(reel, cue, frame, 0, blend, ground, carriers),
                        enter(reel, cue, frame, 1, blend, ground, carriers)};
  std::vector<Landing*> landings;
  for (Entered& one : entered)
    for (Landing& landing : one.landings) landings.push_back(&landing);
  std::stable_sort(landings.begin(), landings.end(), [](const Landing* a, const Landing* b) {
    return a->t != b->t ? a->t < b->t : a->foot < b->foot;
  });
  std::vector<Leg> legs;
  walk(cue, frame, to, ground, landings, legs, carriers);
  std::vector<Phase> own[2] = {phases(cue, entered[0], 0, ground, carriers),
                               phases(cue, entered[1], 1, ground, carriers)};

  std::vector<Beat> rows;
  for (const Leg& leg : legs) rows.push_back(row(reel, cue, leg, blend));
  ease(reel, legs, rows, own, carriers);
  std::vector<double> cuts;
  for (const Leg& leg : legs) cuts.push_back(leg.start);
  for (const auto& phases : own)
    for (const Phase& phase : phases) cuts.push_back(std::max(phase.start, cue.start));
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  while (!cuts.empty() && cuts.back() >= cue.until - 1e-9) cuts.pop_back();
  beats_.clear();
  for (size_t i = 0; i < cuts.size(); ++i) {
    const double start = cuts[i], end = i + 1 < cuts.size() ? cuts[i + 1] : cue.until;
    const int parts = std::max(static_cast<int>(std::ceil((end - start) / kLongest)), 1);
    for (int part_of = 0; part_of < parts; ++part_of) {
      Beat beat = rows[leg_at(legs, start + (end - start) * part_of / parts, false)];
      beat.start = start + (end - start) * part_of / parts;
      beat.end = part_of + 1 < parts ? start + (end - start) * (part_of + 1) / parts : end;
      for (int foot = 0; foot < 2; ++foot) {
        size_t which = 0;
        for (size_t k = 0; k < own[foot].size(); ++k)
          if (own[foot][k].start <= beat.start + 1e-9) which = k;
        put_foot(beat.feet[foot], own[foot][which]);
      }
      beats_.push_back(beat);
    }
  }
  if (sinking != nullptr) lower(reel, *sinking, carriers);
  rest_ = beats_.back();
  rest_.start = cue.until, rest_.end = kNever;
  for (int foot = 0; foot < 2; ++foot) {
    rest_.feet[foot] = nowhere();
    put_foot(rest_.feet[foot], own[foot].back());
    last_[foot] = own[foot].back();
    for (const Phase& phase : own[foot])
      if (phase.stands) held_[foot] = phase.hold;
  }
  const double sunk = sinking != nullptr ? sinking->at(cue.until) : 0.0;
  std::fill(rest_.drops, rest_.drops + kDrops, sunk);
  last_cue_ = cue;
  last_leg_ = legs.back();
  going_ = to;
  until_ = cue.until;
  first_ = false;
}

Stepper Stepper::kept() const {
  Stepper other(going_, until_);
  other.first_ = first_;
  other.last_cue_ = last_cue_, other.last_leg_ = last_leg_;
  std::copy(last_, last_ + 2, other.last_);
  std::copy(held_, held_ + 2, other.held_);
  other.rest_ = rest_;
  return other;
}

const Beat& Stepper::beat(double t) const {
  if (t >= until_ || beats_.empty()) return rest_;
  for (size_t i = beats_.size(); i-- > 0;)
    if (beats_[i].start <= t + 1e-12) return beats_[i];
  return beats_.front();
}

}  // namespace surefoot
