#include "spacetime/running.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/spans.hpp"

namespace surefoot::spacetime {
namespace {

using control::Configuration;
using control::Ending;
using control::Level;

constexpr double kMoment = 1e-9;      // [s]
constexpr double kNowhere = 1e3;      // [m]: an obstacle that is not there
constexpr double kLookedAhead = 4.0;  // [s] of staying that are looked at in one go
constexpr double kShortest = 0.05;    // [s]
constexpr double kCovered = 0.1;      // [s]
constexpr double kSameHeight = 0.1;   // [m]
constexpr double kUnlikely = 1e3;     // [s]
constexpr double kSteep = 2.0;        // [m/m]: of places, what is higher is as much farther
constexpr double kShuffle = 0.3;      // [m] by which one moves while getting ready
constexpr double kHalting = 4.0;      // [s] longer than to pass a place it takes to stand there
// How one comes to a stand, tried in turn: at a goal one stands within its tolerance.
constexpr Halt kAtGoals[] = {Halt::kInstead, Halt::kAfter, Halt::kStraight};
constexpr Halt kElsewhere[] = {Halt::kStraight, Halt::kInstead, Halt::kAfter};

control::Situation nothing(size_t constants, double clock) {
  control::Situation about;
  about.obstacle = {kNowhere, kNowhere, 0, 0};
  about.constants.assign(constants, 0.0);
  if (constants > 0) about.constants.back() = clock;
  return about;
}

}  // namespace

Running::Running(Snapshot& view, const Meetings& meetings, std::vector<Skill> skills,
                 std::vector<bool> jumping, const Charges& charges, std::vector<double> radii,
                 Remaining remaining, std::vector<bool> goals, RunMemory& memory,
                 const RunningSettings& settings)
    : view_(view),
      meetings_(meetings),
      skills_(std::move(skills)),
      charges_(charges),
      radii_(std::move(radii)),
      remaining_(std::move(remaining)),
      goals_(std::move(goals)),
      settings_(settings),
      jumping_(std::move(jumping)),
      memory_(memory) {
  memory_.recalled = memory_.repeated = 0;
  if (remaining_.likely != nullptr) outlook_.emplace(*remaining_.likely, settings_.doubt);
  for (size_t i = 0; i < skills_.size(); ++i) {
    if (skills_[i].along) along_.push_back(static_cast<int>(i));
    if (skills_[i].across) across_.push_back(static_cast<int>(i));
  }
  for (const Skill& skill : skills_) {
    const auto same = std::find_if(skills_.begin(), skills_.end(),
                                   [&](const Skill& other) { return other.needs == skill.needs; });
    like_.push_back(static_cast<size_t>(same - skills_.begin()));
  }
  if (memory_.along.empty()) know_little();
}

int Running::add(const Configuration& configuration) {
  State state;
  state.arrived = configuration;
  state.place = {configuration.level.x, configuration.level.y, configuration.level.z};
  memory_.states.push_back(state);
  return static_cast<int>(memory_.states.size()) - 1;
}

std::span<const int> Running::choices(int from, int to) const {
  const bool together = meetings_.landmarks()[from].frame == meetings_.landmarks()[to].frame;
  return together ? along_ : across_;
}

std::span<const int> Running::instead(int controller, int from, int to) const {
  if (!in_order(from, to)) return {};
  if (failed_ == Ending::kCollided) return skills_[controller].around;
  if (failed_ == Ending::kUnsupported) return skills_[controller].over;
  return {};
}

// Whoever is on another body is nearly there.
double Running::radius(int from, int to, const Skill& skill) const {
  if (radii_[to] >= 0) return std::min(radii_[to], skill.arrival);
  return in_order(from, to) ? skill.arrival : std::max(skill.arrival, settings_.boarding);
}

// Whether one is there wherever on the other body one comes to be.
bool Running::boards(int from, int to) const {
  return settings_.anywhere && !goals_[to] && !in_order(from, to);
}

control::Target Running::target(int from, int to, const Skill& skill) const {
  const Landmark& mark = meetings_.landmarks()[to];
  return {mark.frame, mark.place, radius(from, to, skill), skill.speed, boards(from, to)};
}

// The landmark nearest to a place on the ground of another one.
int Running::nearest_on(int landmark, Vec3 place) const {
  const std::vector<int>& grounds = meetings_.grounds();
  int nearest = landmark;
  double least = kInfinity;
  for (size_t i = 0; i < grounds.size(); ++i) {
    if (grounds[i] != grounds[landmark] || goals_[i] || static_cast<int>(i) == begins_) continue;
    const Vec3 away = meetings_.landmarks()[i].place - place;
    const double apart = std::hypot(away.x, away.y) + kSteep * std::abs(away.z);
    if (apart < least) least = apart, nearest = static_cast<int>(i);
  }
  return nearest;
}

Vec3 Running::departs_from(int state, bool waited) const {
  const State& who = memory_.states[state];
  if (!waited || who.settling < 0) return who.place;
  return {who.stands.level.x, who.stands.level.y, who.stands.level.z};
}

Bound Running::bound(int from, int state, double arrived, double departs, int controller, int to) {
  const Landmark &here = meetings_.landmarks()[from], &there = meetings_.landmarks()[to];
  const Skill& skill = skills_[controller];
  const bool waited = departs > arrived + kMoment;
  const Vec3 place = departs_from(state, waited);
  double way = 0, speed = skill.speed;
  if (here.frame == there.frame) {
    way = std::hypot(place.x - there.place.x, place.y - there.place.y);
    // Who is there already goes nowhere.
    if (!goals_[to] && way <= radius(from, to, skill) &&
        std::abs(place.z - there.place.z) < kSameHeight)
      return {};
  } else {
    const Vec3 p = here.frame < 0 ? place : view_.frame(here.frame, departs).apply(place);
    const Vec3 q =
        there.frame < 0 ? there.place : view_.frame(there.frame, departs).apply(there.place);
    way = std::hypot(p.x - q.x, p.y - q.y);
    // The other body may come towards this one.
    speed += meetings_.fastest(here.frame) + meetings_.fastest(there.frame);
  }
  // Who has been faster before gets farther; who stands shuffles at most.
  const bool still = waited || stands(memory_.states[state].arrived);
  way -= radius(from, to, skill) + (still ? kShuffle : skill.carry);
  double time = std::max(way, 0.0) / speed;
  if (waited) {
    // From a stand it takes a while to get going.
    const double closing = speed - skill.speed;
    size_t k = 0;
    while (k < skill.covered.size() &&
           skill.covered[k] + closing * kCovered * static_cast<double>(k) < way)
      ++k;
    if (k > 0) time = std::max(time, kCovered * static_cast<double>(k - 1));
  }
  double cost = skill.lower * time;
  if (here.frame == there.frame) cost = std::max(cost, skill.metre * std::max(way, 0.0));
  time = std::max(time, 1e-3);
  return {time, cost, time, cost};
}

Left Running::left(int landmark, double t, int from) const {
  double least = remaining_.ahead[landmark];
  if (least == kInfinity) return {};
  if (remaining_.soonest != nullptr) {
    const bool boarded = from >= 0 && !in_order(from, landmark);
    const double soonest = remaining_.soonest->goal(landmark, t, boarded);
    if (soonest == kInfinity) return {};
    least = std::max(least, remaining_.second * (soonest - t));
  }
  if (!outlook_) return {least, least, true};
  const double likely = outlook_->left(landmark, t);
  // What is not likely at all may still be.
  const double never = remaining_.second * (meetings_.latest() + kUnlikely - t);
  return {least, std::max(least, std::min(likely, never)), likely < kInfinity};
}

bool Running::stands(const Configuration& c) const {
  const control::Moves& moves = skills_.front().go->moves();
  const control::Move& move = moves.move(c.action);
  return move.still || (c.into >= move.duration - kMoment && moves.stands_in(move.end));
}

// Comes to a stand straight ahead.
bool Running::settle(State& state, double arrived) {
  const Skill& skill = skills_.front();
  const Configuration& from = state.arrived;
  const Level& level = from.level;
  const control::Target ahead{
      from.frame,
      {level.x + 10 * std::cos(level.heading), level.y + 10 * std::sin(level.heading), level.z},
      skill.arrival,
      skill.wait_speed};
  for (const double settling : kSettling) {
    control::Limits limits{settling + 1, settling, settings_.tolerance};
    control::Roller roller(*skill.wait, &view_, skill.wait_needs, limits);
    roller.roll(from, arrived, ahead, nothing(skill.wait_axes, settling), rollout_);
    if (rollout_.ending != Ending::kReached) return false;
    state.settling = settling;
    if (stands(rollout_.last)) return true;
  }
  return false;
}

// Comes to a stand by a controller that does so at the landmark.
bool Running::stands_by(State& state, double arrived, Halt how) {
  if (state.skill < 0 || !skills_[state.skill].halt) return false;
  const Skill& skill = skills_[state.skill];
  const bool instead = how == Halt::kInstead;
  // What goes round and over something has to be done first.
  if (instead && !(skill.along && in_order(state.left, state.to))) return false;
  const double begins = instead ? state.begins : arrived;
  const double near = goals_[state.to] ? radii_[state.to] : settings_.stands_at;
  const Landmark& mark = meetings_.landmarks()[state.to];
  const control::Limits limits{arrived - begins + kHalting, -1.0, settings_.tolerance};
  control::Roller roller(*skill.halt, &view_, skill.needs, limits);
  roller.roll(instead ? state.from : state.arrived, begins,
              {mark.frame, mark.place, near, skill.speed}, nothing(0, 0), rollout_);
  state.settling = 0;
  return rollout_.ending == Ending::kReached;
}

bool Running::halt(State& state, double arrived, Halt how) {
  const bool straight = how == Halt::kStraight;
  if (!(straight ? settle(state, arrived) : stands_by(state, arrived, how))) return false;
  if (rollout_.last.frame != state.arrived.frame) return false;
  const control::Needs& needs = straight ? skills_.front().wait_needs : skills_[state.skill].needs;
  if (brushed(rollout_, needs.shape) || !on_ground(rollout_.last, rollout_.time, needs))
    return false;
  if (state.to >= 0 && goals_[state.to]) {
    const Vec3 goal = meetings_.landmarks()[state.to].place;
    const Level& here = rollout_.last.level;
    if (std::hypot(goal.x - here.x, goal.y - here.y) > radii_[state.to]) return false;
  }
  state.halt = how;
  state.halted = straight ? 0 : cost(state.skill, rollout_);
  state.settled = std::max(rollout_.time, arrived);
  state.stands = rollout_.last;
  return true;
}

double Running::settled(int, int id, double arrived) {
  State& state = memory_.states[id];
  if (state.asked) return state.settled;
  state.asked = true;
  if (stands(state.arrived)) {
    state.settling = 0;
    state.settled = arrived;
    state.stands = state.arrived;
    return state.settled;
  }
  const bool at_goal = state.to >= 0 && goals_[state.to];
  for (const Halt how : at_goal ? kAtGoals : kElsewhere)
    if (halt(state, arrived, how)) return state.settled;
  state.settling = -1;
  return state.settled;
}

double Running::halting(int landmark, int id, double arrived) {
  const double stands = settled(landmark, id, arrived);
  const State& state = memory_.states[id];
  if (state.halt == Halt::kStraight) return 0;
  const double paid = state.halted - (state.halt == Halt::kInstead ? state.paid : 0);
  return std::max(paid - charges_.waiting * (stands - arrived), 0.0);
}

bool Running::stays(int landmark, int id, double arrived, double until) {
  if (settled(landmark, id, arrived) == kInfinity) return false;
  State& state = memory_.states[id];
  const Skill& skill = skills_.front();
  if (state.safe_until == -kInfinity) state.safe_until = state.settled;
  const Level& level = state.stands.level;
  const Vec3 place{level.x, level.y, level.z};
  while (!state.safe_ends && state.safe_until < until) {
    const double from = state.safe_until, to = std::max(from + kLookedAhead, until);
    const TimedPath path{state.stands.frame, {&from, 1}, {&place, 1}};
    const Spans safe = safe_spans(view_, path, {skill.needs.shape, skill.needs.max_slope}, from, to,
                                  settings_.tolerance);
    const bool begins = !safe.empty() && safe.front().first <= from + kMoment;
    state.safe_until = begins ? safe.front().second : from;
    state.safe_ends = !begins || state.safe_until < to - kMoment;
  }
  return until <= state.safe_until + kMoment;
}

// Where a landmark will be seen when one departs, in the frame of whoever waits.
Vec3 Running::seen_from(const State& state, int to, double departs, double speed) {
  const Landmark& mark = meetings_.landmarks()[to];
  if (mark.frame == state.stands.frame) return mark.place;
  const auto at = [&](double t) {
    const Vec3 p = mark.frame < 0 ? mark.place : view_.frame(mark.frame, t).apply(mark.place);
    return state.stands.frame < 0 ? p : view_.frame(state.stands.frame, t).unapply(p);
  };
  const Level& here = state.stands.level;
  const Vec3 now = at(departs);
  return at(departs + std::hypot(now.x - here.x, now.y - here.y) / speed);
}

std::optional<Configuration> Running::ready(const State& state, double& departs, const Skill& skill,
                                            int to, bool exactly) {
  const double waited = departs - state.settled;
  if (waited <= kMoment) return state.stands;
  const double lead = std::min(waited, settings_.readying);
  control::Limits limits{lead + 1, lead, settings_.tolerance};
  control::Roller roller(*skill.wait, exactly ? &view_ : nullptr, skill.wait_needs, limits);
  const control::Target there{state.stands.frame, seen_from(state, to, departs, skill.speed),
                              skill.arrival, skill.wait_speed};
  roller.roll(state.stands, departs - lead, there, nothing(skill.wait_axes, lead), rollout_);
  if (rollout_.ending != Ending::kReached || rollout_.last.frame != state.stands.frame)
    return std::nullopt;
  if (exactly && (brushed(rollout_, skill.wait_needs.shape) ||
                  !on_ground(rollout_.last, rollout_.time, skill.wait_needs)))
    return std::nullopt;
  departs = std::max(departs, rollout_.time);
  return rollout_.last;
}

void Running::adapt(const Configuration& start, double begins, const Skill& skill, int from, int to,
                    double longest) {
  const control::Limits limits{longest, -1.0, settings_.tolerance};
  control::adapt(*skill.go, view_, skill.needs, limits, start, begins, target(from, to, skill),
                 skill.how, adapted_);
}

std::optional<Arrived> Running::try_to_go(int from, int id, double arrived, double departs,
                                          int controller, int to) {
  const Skill& skill = skills_[controller];
  failed_ = Ending::kStuck;
  if (refused(from, to, controller, departs)) return std::nullopt;
  const Bound least = bound(from, id, arrived, departs, controller, to);
  const double longest = least.time + settings_.spread;
  Configuration start = memory_.states[id].arrived;
  double begins = departs;
  bool known = false;  // whether the way was run already
  // Who is there already goes nowhere.
  if (least.time == kInfinity) return std::nullopt;
  const control::Rollout& rollout = adapted_.rollout;
  failed_ = Ending::kStuck;
  if (departs > arrived + kMoment) {
    const State& state = memory_.states[id];
    const std::optional<Configuration> guess = ready(state, begins, skill, to, false);
    if (!guess) return std::nullopt;
    adapt(*guess, begins, skill, from, to, longest);
    failed_ = rollout.ending;
    if (rollout.ending != Ending::kReached) return std::nullopt;
    const double guessed = begins;
    begins = departs;
    const std::optional<Configuration> prepared = ready(state, begins, skill, to, true);
    if (!prepared) return std::nullopt;
    start = *prepared;
    known = start == *guess && begins == guessed;
  }
  if (!known) adapt(start, begins, skill, from, to, longest);
  failed_ = rollout.ending;
  if (rollout.ending != Ending::kReached || rollout.pieces.empty()) return std::nullopt;
  const Landmark &here = meetings_.landmarks()[from], &there_is = meetings_.landmarks()[to];
  if (!crosses_well(here, there_is)) return std::nullopt;
  if (!on_ground(rollout.last, rollout.time, skill.needs)) {
    failed_ = Ending::kUnsupported;
    return std::nullopt;
  }
  if (brushed(rollout, skill.needs.shape)) {
    failed_ = Ending::kCollided;
    return std::nullopt;
  }
  // Discs of arrival overlap: who is there already goes nowhere, unless that is the goal.
  if (rollout.time - begins < kShortest && !goals_[to]) return std::nullopt;
  const double longer = charges_.waiting * (begins - departs);
  const double paid = longer + cost(controller, rollout);
  const int reached = add(rollout.last);
  State& there = memory_.states[reached];
  there.from = start;
  there.begins = begins;
  there.skill = controller;
  there.paid = paid;
  there.left = from;
  there.to = boards(from, to) ? nearest_on(to, there.place) : to;
  return Arrived{rollout.time, paid, reached, there.to};
}

}  // namespace surefoot::spacetime
