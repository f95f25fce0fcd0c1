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
constexpr size_t kTurns = std::size(kBearings) + 1;
constexpr double kWidths[] = {0.2, 0.6, 1.2};  // [m] between bodies: gaps as wide are alike
constexpr size_t kGaps = std::size(kWidths) + 1;

}  // namespace

// What is thought of ways before any was run.
void Running::know_nothing() {
  along_tries_.assign(2 * skills_.size() * kFars * kTurns, {2, 1, 0.3});
  across_tries_.assign(2 * skills_.size() * kGaps * kFars, {2, 0.6, 1.0});
}

Bound Running::likely(const Bound& least, int from, int state, double arrived, double departs,
                      int controller, int to) {
  const Tries& tries = experience(from, state, arrived, departs, controller, to);
  const double free = unhindered(from, state, arrived, departs, controller, to);
  const double time = std::max(least.time, free) + tries.longer();
  // What fails is tried again a little later.
  const double doubt = outlook_ ? outlook_->doubt(from, to, departs) : 0;
  const double again = tries.vain() * kAgain + doubt;
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
Running::Tries& Running::experience(int from, int state, double arrived, double departs,
                                    int controller, int to) {
  const bool waited = departs > arrived + kMoment;
  const size_t kind = 2 * static_cast<size_t>(controller) + (waited ? 1 : 0);
  const Landmark &here = meetings_.landmarks()[from], &there = meetings_.landmarks()[to];
  const Vec3 place = departs_from(state, waited);
  if (in_order(from, to)) {
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
    return along_tries_[(kind * kFars + std::min(far, kFars - 1)) * kTurns + turn];
  }
  // How far apart they will be.
  const double then = departs + kLater;
  const Vec3 p = here.frame < 0 ? place : view_.frame(here.frame, then).apply(place);
  const Vec3 q = there.frame < 0 ? there.place : view_.frame(there.frame, then).apply(there.place);
  const auto far = static_cast<size_t>(std::hypot(p.x - q.x, p.y - q.y) / kApart);
  const double gap = meetings_.gap_at(from, to, then);
  const size_t wide = static_cast<size_t>(
      std::upper_bound(std::begin(kWidths), std::end(kWidths), gap) - std::begin(kWidths));
  return across_tries_[(kind * kGaps + wide) * kFars + std::min(far, kFars - 1)];
}

std::optional<Arrived> Running::go(int from, int id, double arrived, double departs, int controller,
                                   int to) {
  Tries& tries = experience(from, id, arrived, departs, controller, to);
  const std::optional<Arrived> found = recall_or_try(from, id, arrived, departs, controller, to);
  tries.all += 1;
  if (outlook_) outlook_->tell(from, to, departs, found.has_value());
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
  if (goals_[from] || goals_[to] || refused(from, to, controller, departs))
    return try_to_go(from, id, arrived, departs, controller, to);
  const RunMemory::Key key{id, to, controller, departs};
  if (const auto known = memory_.ways.find(key); known != memory_.ways.end()) {
    ++memory_.recalled;
    memory_.repeated += known->second.plan == memory_.plan;
    known->second.plan = memory_.plan;
    failed_ = known->second.failed;
    return known->second.arrived;
  }
  const std::optional<Arrived> found = try_to_go(from, id, arrived, departs, controller, to);
  const Skill& skill = skills_[controller];
  const double longest = bound(from, id, arrived, departs, controller, to).time + settings_.spread;
  const Landmark& here = meetings_.landmarks()[from];
  const Vec3& place = memory_.states[id].place;
  const Vec3 about = here.frame < 0 ? place : view_.frame(here.frame, departs).apply(place);
  // From when one comes to a stand until it is too late, as far as anything gets meanwhile.
  const double fastest = skill.speed + skill.carry + meetings_.fastest(here.frame) +
                         meetings_.fastest(meetings_.landmarks()[to].frame);
  memory_.ways.emplace(
      key, RunMemory::Way{found, failed_, about, fastest * (longest + settings_.readying) + kMargin,
                          std::min(arrived, memory_.states[id].begins) - 1.0,
                          departs + longest + 1.0, memory_.plan});
  return found;
}

}  // namespace surefoot::spacetime
