// When the feet of a stepper stand and swing while it plays a piece, and where they come down.
#include <algorithm>
#include <cmath>

#include "motion/easing.hpp"
#include "motion/stepper.hpp"

namespace surefoot {
namespace {

constexpr double kShortest = 0.1;  // [s] that a foot is down to be put there in a crossfade
constexpr double kFarOff = 0.28;   // [leg lengths] from which on a foot steps to its place
constexpr double kInstant = 0.01;  // [s]

double yaw_of(Quat q) {
  return std::atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
}

// The shortest turn that lays level ground into a slope.
Quat tilted(const double* slope) {
  const double size = std::sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  // Between up and the normal (-x, -y, 1) / size.
  const Quat q{1 + 1 / size, slope[1] / size, -slope[0] / size, 0};
  return q * (1 / length(q));
}

// An offset of a foot in the air, and its rate.
void eased(const Ease& leave, const Ease& land, double t, double* value, double* rate) {
  const Offset now = eased(leave, land, t), before = eased(leave, land, t - kInstant);
  std::copy(now.begin(), now.end(), value);
  for (int i = 0; i < kOffset; ++i) rate[i] = (now[i] - before[i]) / kInstant;
}

}  // namespace

// The same hold in the frame of another body, as it is at `t` [s].
Stepper::Hold Stepper::Hold::on(const Carriers* carriers, int32_t other, double t) const {
  if (body == other || carriers == nullptr) return *this;
  Hold hold = *this;
  if (body >= 0) {
    const Pose pose = carriers->pose(body, t);
    hold = {rotated(pose.rotation, position) + pose.position, pose.rotation * rotation, -1};
  }
  if (other < 0) return hold;
  const Pose pose = carriers->pose(other, t);
  const Quat back = conjugate(pose.rotation);
  return {rotated(back, hold.position - pose.position), back * hold.rotation, other};
}

Stepper::Entered Stepper::enter(const Reel& reel, const Cue& cue, const LevelFrame& frame, int foot,
                                double blend, const Treading& ground, const Carriers* carriers) {
  const Take& take = *cue.take;
  const Fall* planted = nullptr;
  Entered entered;
  for (const Fall& fall : take.falls[foot]) {
    if (planted == nullptr && fall.start <= cue.begin + kTolerance &&
        fall.end > cue.begin + kTolerance)
      planted = &fall;
    if (cue.begin + kTolerance < fall.start && fall.start <= cue.end + kTolerance)
      entered.landings.push_back({foot, &fall, std::min(cue.when(fall.start), cue.until)});
  }
  const auto leaving = [&](const Fall& fall) {
    return fall.end < cue.end - kTolerance ? cue.when(fall.end) : kNever;
  };
  const auto landed = [&](const Fall& fall) {
    const Vec3 p = laid(frame, fall.position);
    return Hold{{p.x, p.y, ground.from[foot]},
                Quat{std::cos((frame.yaw + yaw_of(fall.rotation)) / 2), 0, 0,
                     std::sin((frame.yaw + yaw_of(fall.rotation)) / 2)},
                static_cast<int32_t>(frame.body)};
  };
  const Phase& before = last_[foot];
  // Where a foot is about to land at first, it has landed; and one that stands has no time to be
  // lifted before: it stays.
  if ((first_ || before.stands) && planted == nullptr && !entered.landings.empty() &&
      entered.landings.front().t < cue.start + kShortest) {
    planted = entered.landings.front().fall;
    entered.landings.erase(entered.landings.begin());
  }
  const double late = std::min(std::max(blend, kShortest), 0.7 * (cue.until - cue.start));
  const auto caught = [&] {
    // Of a foot in the air, or far off, that the clip has standing.
    if (planted == nullptr || (planted->end - cue.begin) / cue.speed < late + kShortest) return;
    entered.landings.insert(entered.landings.begin(), Landing{foot, planted, cue.start + late});
  };
  if (!first_ && before.stands) {
    if (planted != nullptr) {
      const Vec3 there = laid(frame, planted->position);
      const auto body = static_cast<int32_t>(frame.body);
      const Vec3 here = before.hold.on(carriers, body, cue.start).position;
      if (std::hypot(here.x - there.x, here.y - there.y) > kFarOff * reel.leg) {
        caught();
        planted = nullptr;
      }
    }
    entered.stands = true;
    entered.phase = {true,        before.start, planted == nullptr ? cue.start : leaving(*planted),
                     before.hold, planted,      before.fall};
    return entered;
  }
  if (first_ && planted != nullptr) {
    entered.stands = true;
    entered.phase = {true, cue.start, leaving(*planted), landed(*planted), planted, nullptr};
    return entered;
  }
  // A foot that is in the air: its offset fades on from where it is.
  Phase swing{false, cue.start, cue.until};
  if (!first_) {
    eased(before.leave, before.land, cue.start, swing.leave.value, swing.leave.rate);
    swing.leave.start = cue.start, swing.leave.duration = kEasing;
  }
  entered.phase = swing;
  caught();
  return entered;
}

void Stepper::walk(const Cue& cue, const LevelFrame& from, const Spot& to, const Treading& ground,
                   std::vector<Landing*>& landings, std::vector<Leg>& legs,
                   const Carriers* carriers) const {
  std::vector<double> times{cue.start};
  for (const Landing* landing : landings)
    if (landing->t > times.back() + kTolerance) times.push_back(landing->t);
  if (times.size() > 1 && times.back() > cue.until - kTolerance)
    times.back() = cue.until;
  else
    times.push_back(cue.until);
  LevelFrame frame = from;
  for (size_t i = 0; i + 1 < times.size(); ++i) {
    const double start = times[i], end = times[i + 1];
    const double share = (end - start) / (cue.until - start);
    const auto body = static_cast<int32_t>(frame.body);
    const LevelFrame goal = aligned(rebased(carriers, to, body, end), *cue.take, cue.end);
    LevelFrame finish = between(frame, goal, *cue.take, cue.clip_time(end), share);
    // From the frame that it comes from into the one that it goes to, where the foot lands.
    const auto lands = [&](const Landing* landing) {
      return start + kTolerance < landing->t && landing->t <= end + kTolerance;
    };
    if (i + 2 == times.size() || std::any_of(landings.begin(), landings.end(), lands)) {
      const Spot spot{finish.x, finish.y, finish.z, finish.yaw, body};
      const Spot on = rebased(carriers, spot, to.body, end);
      finish = {static_cast<double>(on.body), on.x, on.y, on.z, on.yaw};
    }
    for (Landing* landing : landings) {
      if (!lands(landing)) continue;
      landing->t = end;
      const Vec3 p = laid(finish, landing->fall->position);
      const double yaw = finish.yaw + yaw_of(landing->fall->rotation);
      const int foot = landing->foot;
      const double *slope = ground.slope[foot], x = p.x - ground.x[foot], y = p.y - ground.y[foot];
      landing->hold = {{p.x, p.y, ground.height[foot] + slope[0] * x + slope[1] * y},
                       tilted(slope) * Quat{std::cos(yaw / 2), 0, 0, std::sin(yaw / 2)},
                       static_cast<int32_t>(finish.body)};
      landing->hold = landing->hold.on(carriers, ground.body[foot], end);
    }
    legs.push_back({start, end, frame, finish});
    frame = finish;
  }
}

std::vector<Stepper::Phase> Stepper::phases(const Cue& cue, const Entered& entered, int foot,
                                            const Treading& ground,
                                            const Carriers* carriers) const {
  std::vector<Phase> own{entered.phase};
  Hold held = entered.stands ? entered.phase.hold : held_[foot];
  const auto leaving = [&](const Fall& fall) {
    return fall.end < cue.end - kTolerance ? cue.when(fall.end) : kNever;
  };
  for (const Landing& landing : entered.landings) {
    Phase& last = own.back();
    if (last.stands) {
      // Set down anew without having been lifted: it needs a moment in the air.
      if (!(last.end < landing.t - kTolerance))
        last.end = std::max(landing.t - kShortest, (cue.start + landing.t) / 2);
      Phase swing{false, last.end, landing.t};
      swing.lands = true;
      own.push_back(swing);
    } else {
      last.end = landing.t;
      last.lands = true;
      if (last.leave.duration > 0) last.leave.duration = std::max(landing.t - last.start, 1e-3);
    }
    own.back().arch = ground.arch;
    own.back().way = landing.hold.on(carriers, -1, landing.t).position -
                     held.on(carriers, -1, landing.t).position;
    held = landing.hold;
    own.push_back({true, landing.t, leaving(*landing.fall), landing.hold, landing.fall, nullptr});
  }
  if (own.back().stands && own.back().end < kNever)
    own.push_back(Phase{false, own.back().end, cue.until});
  return own;
}

}  // namespace surefoot
