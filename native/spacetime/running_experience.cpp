// What has worked so far tells what is likely to; and what was run before is not run again.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "spacetime/running.hpp"

namespace surefoot::spacetime {
namespace {

constexpr double kMoment = 1e-9;  // [s]
constexpr double kRefused = 0.5;  // [s] about a departure
constexpr double kMargin = 3.0;   // [m]
constexpr double kAgain = 0.4;    // [s] after which what failed is tried again
constexpr double kLater = 1.2;    // [s] after a departure one crosses from body to body
constexpr double kApart = 0.7;    // [m]: ways that differ by less are alike
constexpr size_t kFars = 6;
constexpr double kBearings[] = {0.6, 1.2, 2.0};  // [rad]: who goes on at once turns by as much
constexpr size_t kTurned = std::size(kBearings) + 1;
constexpr double kWidths[] = {0.2, 0.6, 1.2};  // [m] between bodies: gaps as wide are alike
constexpr size_t kGaps = std::size(kWidths) + 1;
constexpr double kRises[] = {-0.3, 0.25, 0.5};  // [m] from one body to the other, likewise
constexpr size_t kHeights = std::size(kRises) + 1;
constexpr double kFacing = 0.6;  // [rad]: who turns by less to cross faces it
constexpr double kFast = 1.0;    // [m/s]: of bodies against each other
enum Manner { kFaces, kTurns, kWaits, kManners };
// How many of the ways from body to body succeed, of those who step and of those who jump: by how
// one comes to it, whether the bodies move fast against each other, and width; as in the built-in
// scenes.
constexpr double kSteps[kManners][2][kGaps] = {
    {{0.35, 0.1, 0.01, 0.01}, {0.1, 0.1, 0.01, 0.01}},
    {{0.1, 0.06, 0.01, 0.01}, {0.02, 0.02, 0.01, 0.01}},
    {{0.13, 0.08, 0.01, 0.01}, {0.05, 0.02, 0.01, 0.01}}};
constexpr double kJumps[kManners][2][kGaps] = {{{0.4, 0.18, 0.05, 0.02}, {0.2, 0.15, 0.03, 0.02}},
                                               {{0.11, 0.12, 0.03, 0.01}, {0.03, 0.03, 0.01, 0.01}},
                                               {{0.2, 0.4, 0.2, 0.05}, {0.1, 0.18, 0.1, 0.05}}};
constexpr double kPrior = 2;  // tries that this counts as

}  // namespace

// Where what became of ways from body to body begins.
size_t Running::across_row(int controller, size_t manner) const {
  return (kManners * static_cast<size_t>(controller) + manner) * 2 * kGaps * kHeights * kFars;
}

// What is thought of ways before any was run. By skill, whether one waited before, and how far it
// is; to other bodies also by how wide the gap is and how high the other side.
void Running::know_little() {
  memory_.along.assign(2 * skills_.size() * kFars * kTurned, {2, 1, 0.3});
  memory_.across.clear();
  for (const Skill& skill : skills_)
    for (const auto& of_manner : skill.jumps ? kJumps : kSteps)
      for (const auto& of_pair : of_manner)
        for (const double share : of_pair) {
          const double succeeded = kPrior * share;
          memory_.across.insert(memory_.across.end(), kHeights * kFars,
                                {kPrior, succeeded, 1.5 * succeeded});
        }
}

Bound Running::likely(const Bound& least, int from, int state, double arrived, double departs,
                      int controller, int to) {
  const bool together = in_order(from, to);
  const bool waited = departs > arrived + kMoment;
  double time = 0, again = 0;
  if (together) {
    const Tries& tries = experience(from, state, arrived, departs, controller, to);
    const double free = unhindered(from, state, arrived, departs, controller, to);
    time = std::max(least.time, free) + tries.longer();
    // What fails is tried again a little later.
    again = tries.vain() * kAgain;
  } else {
    // As what is left counts on it, by whatever works best: who shuns a way that is taken for
    // granted elsewhere walks to and fro for ever.
    const size_t alike = crossing_kind(from, state, waited, departs, to);
    const size_t comes = manner(from, state, waited, departs, to);
    const Tries& tries = memory_.across[across_row(controller, comes) + alike];
    double best = kInfinity;
    for (const int other : across_)
      for (size_t way = 0; way < kManners; ++way) {
        const Tries& t = memory_.across[across_row(other, way) + alike];
        best = std::min(best, t.longer() + t.vain() * kAgain);
      }
    time = std::max(least.time, remaining_.likely != nullptr ? remaining_.likely->crossing() : 0.0);
    again = tries.longer() + tries.vain() * kAgain - best;
  }
  if (outlook_) again += outlook_->doubt(from, to, departs);
  Bound out = least;
  out.likely_time = time + again;
  out.likely_cost =
      least.cost + skills_[controller].rate * (time - least.time) + charges_.waiting * again;
  return out;
}

// [s] that a way over the ground takes where nothing is in the way; 0 where that is not known.
double Running::unhindered(int from, int id, double arrived, double departs, int controller,
                           int to) const {
  const Skill& skill = skills_[controller];
  if (!skill.along || !in_order(from, to)) return 0;
  const State& state = memory_.states[id];
  const control::Moves& moves = skill.go->moves();
  const Vec3 there = meetings_.landmarks()[to].place;
  const double near = radius(from, to, skill);
  if (departs > arrived + kMoment) {
    // Who has waited stands and faces it.
    const Vec3 here = departs_from(id, true);
    const int stand = moves.move(state.stands.action).end;
    return skill.go->time(stand, std::hypot(there.x - here.x, there.y - here.y), 0.0, near);
  }
  // What is under way goes on to its end first.
  const control::Configuration& c = state.arrived;
  const double lasts = moves.move(c.action).still ? c.into : moves.move(c.action).duration;
  const control::Level here =
      c.level.placing(moves.at(c.action, c.into)).then(moves.at(c.action, lasts));
  const double dx = there.x - here.x, dy = there.y - here.y;
  const double cos = std::cos(here.heading), sin = std::sin(here.heading);
  return lasts - c.into +
         skill.go->time(moves.move(c.action).end, cos * dx + sin * dy, cos * dy - sin * dx, near);
}

// What is known of ways like this one.
Tries& Running::experience(int from, int state, double arrived, double departs, int controller,
                           int to) {
  const bool waited = departs > arrived + kMoment;
  const size_t kind = 2 * static_cast<size_t>(controller) + (waited ? 1 : 0);
  if (in_order(from, to)) {
    const Landmark& there = meetings_.landmarks()[to];
    const Vec3 place = departs_from(state, waited);
    // Who comes at a run seldom gets to what is near.
    const double dx = there.place.x - place.x, dy = there.place.y - place.y;
    const auto far = static_cast<size_t>(std::hypot(dx, dy) / kApart);
    double turned = 0;
    if (!waited) {
      const double heading = memory_.states[state].arrived.level.heading;
      turned = std::abs(std::remainder(std::atan2(dy, dx) - heading, 2 * std::numbers::pi));
    }
    const size_t turn =
        static_cast<size_t>(std::upper_bound(std::begin(kBearings), std::end(kBearings), turned) -
                            std::begin(kBearings));
    return memory_.along[(kind * kFars + std::min(far, kFars - 1)) * kTurned + turn];
  }
  return memory_.across[across_row(controller, manner(from, state, waited, departs, to)) +
                        crossing_kind(from, state, waited, departs, to)];
}

// Where somebody and a landmark of another body will be when the one gets to the other.
std::pair<Vec3, Vec3> Running::crossed(int from, int state, bool waited, double then,
                                       int to) const {
  const Landmark &here = meetings_.landmarks()[from], &there = meetings_.landmarks()[to];
  const Vec3 place = departs_from(state, waited);
  return {here.frame < 0 ? place : view_.frame(here.frame, then).apply(place),
          there.frame < 0 ? there.place : view_.frame(there.frame, then).apply(there.place)};
}

// Ways from body to body that are alike: by how fast these move against each other, how wide the
// gap will be, how high and how far it is.
size_t Running::crossing_kind(int from, int state, bool waited, double departs, int to) const {
  const double then = departs + kLater;
  const auto [p, q] = crossed(from, state, waited, then, to);
  const auto carried = [&](int landmark, Vec3 at) {
    const int frame = meetings_.landmarks()[landmark].frame;
    return frame < 0 ? Vec3{} : view_.surface_velocity(frame, at, then);
  };
  const Vec3 against = carried(to, q) - carried(from, p);
  const auto row = [](const auto& bounds, double number) {
    return static_cast<size_t>(std::upper_bound(std::begin(bounds), std::end(bounds), number) -
                               std::begin(bounds));
  };
  const size_t fast = std::hypot(against.x, against.y) > kFast ? 1 : 0;
  const size_t wide = row(kWidths, meetings_.gap_at(from, to, then));
  const auto far = static_cast<size_t>(std::hypot(p.x - q.x, p.y - q.y) / kApart);
  return ((fast * kGaps + wide) * kHeights + row(kRises, q.z - p.z)) * kFars +
         std::min(far, kFars - 1);
}

// How somebody comes to a way to another body: after a wait, or as they are under way.
size_t Running::manner(int from, int state, bool waited, double departs, int to) const {
  if (waited) return kWaits;
  const double then = departs + kLater;
  const auto [p, q] = crossed(from, state, waited, then, to);
  const int frame = meetings_.landmarks()[from].frame;
  const double heading = memory_.states[state].arrived.level.heading;
  Vec3 ahead{std::cos(heading), std::sin(heading), 0};
  if (frame >= 0) ahead = view_.frame(frame, then).apply(memory_.states[state].place + ahead) - p;
  const double turned = std::remainder(
      std::atan2(q.y - p.y, q.x - p.x) - std::atan2(ahead.y, ahead.x), 2 * std::numbers::pi);
  return std::abs(turned) < kFacing ? kFaces : kTurns;
}

std::optional<Arrived> Running::go(int from, int id, double arrived, double departs, int controller,
                                   int to) {
  Tries& tries = experience(from, id, arrived, departs, controller, to);
  const std::optional<Arrived> found = recall_or_try(from, id, arrived, departs, controller, to);
  tries.all += 1;
  if (outlook_)
    outlook_->tell(from, to, departs, found.has_value(),
                   failed_ == control::Ending::kCollided && in_order(from, to) && !passing_);
  if (found) {
    const Bound least = bound(from, id, arrived, departs, controller, to);
    tries.succeeded += 1;
    const double free = unhindered(from, id, arrived, departs, controller, to);
    tries.late += std::max(found->time - departs - std::max(least.time, free), 0.0);
  }
  return found;
}

bool Running::refused(int from, int to, int controller, double departs) const {
  return std::any_of(refused_.begin(), refused_.end(), [&](const Refused& way) {
    return way.from == from && way.to == to && way.skill == controller &&
           std::abs(way.departs - departs) < kRefused;
  });
}

// What was run before is not run again, but to and from goals, which may be others now.
std::optional<Arrived> Running::recall_or_try(int from, int id, double arrived, double departs,
                                              int controller, int to) {
  if (goals_[from] || goals_[to] || refused(from, to, controller, departs)) {
    ++memory_.ran;
    return try_to_go(from, id, arrived, departs, controller, to);
  }
  const RunMemory::Key key{id, to, controller, departs};
  if (const auto known = memory_.ways.find(key); known != memory_.ways.end()) {
    ++memory_.recalled;
    memory_.repeated += known->second.plan == memory_.plan;
    known->second.plan = memory_.plan;
    failed_ = known->second.failed;
    passing_ = known->second.passing;
    return known->second.arrived;
  }
  ++memory_.ran;
  const std::optional<Arrived> found = try_to_go(from, id, arrived, departs, controller, to);
  passing_ = adapted_.rollout.passing;
  const Skill& skill = skills_[controller];
  const double longest = bound(from, id, arrived, departs, controller, to).time + settings_.spread;
  const Landmark& here = meetings_.landmarks()[from];
  const Vec3& place = memory_.states[id].place;
  const Vec3 about = here.frame < 0 ? place : view_.frame(here.frame, departs).apply(place);
  // From when one comes to a stand until it is too late, as far as anything gets meanwhile.
  const double fastest = skill.speed + skill.carry + meetings_.fastest(here.frame) +
                         meetings_.fastest(meetings_.landmarks()[to].frame);
  memory_.ways.emplace(key, RunMemory::Way{found, failed_, passing_, about,
                                           fastest * (longest + settings_.readying) + kMargin,
                                           std::min(arrived, memory_.states[id].begins) - 1.0,
                                           departs + longest + 1.0, memory_.plan});
  return found;
}

}  // namespace surefoot::spacetime
