// Where feet come down: on ground that holds them, and what that is.
#include <algorithm>

#include "footsteps/terrain.hpp"

namespace surefoot::footsteps {
namespace {

constexpr double kEven = 0.004;        // [m] that the floor of a level square may differ
constexpr double kEasy = 0.12;         // [m] up and down that usual steps go
constexpr double kBeyond = 0.53;       // of a foot, to each side of its middle, that is looked at
constexpr double kHolds = 0.6;         // of a sole, that must be held
constexpr double kToesBlocked = 0.15;  // likewise, what a step right before the toes is worth
constexpr int kShifts = 3;
constexpr double kShift = 0.03;      // [m] by which steps are made longer or shorter
constexpr double kShiftPrice = 1.5;  // [1/m] likewise what that is worth
constexpr double kBoarding = 0.9;    // [m/s] between what a foot leaves and comes down to, at most
constexpr double kLifting = 0.3;     // [m/s] likewise up and down
constexpr double kUpright = 0.9995;  // cosine of how far what carries may be tilted

}  // namespace

bool Ground::passed_by(double x, double y, double z, double t) {
  if (!movers_) return false;
  const double wide = terrain_.settings().foot.length, high = terrain_.settings().rise;
  const Box box{{x - wide, y - wide, z - high}, {x + wide, y + wide, z + high}};
  return snapshot_.span().at(t).visit(box, [](int) { return true; });
}

bool Ground::boards(const State& from, int into, const Vec3& at, double t) {
  // Nobody steps onto what may go anywhere.
  for (const Doubt& one : doubts_)
    if (one.body == into) return false;
  if (into >= 0 && rotated(pose(into, t).rotation, {0, 0, 1}).z < kUpright) return false;
  if (into == from.body) return true;
  const auto velocity = [&](int body) {
    return body < 0 ? Vec3{} : snapshot_.surface_velocity(body, at, t);
  };
  const Vec3 change = velocity(into) - velocity(from.body);
  return std::hypot(change.x, change.y) <= kBoarding && std::abs(change.z) <= kLifting;
}

// Each foot that comes down on ground that holds it, and how high that is.
double Ground::held(const Action& action, const State& from, bool rough, State& to, Treads& treads,
                    bool& level) {
  const TerrainSettings& limits = terrain_.settings();
  const double most = action.flies ? kInfinity : (rough ? limits.rise : kEasy);
  const double up = std::min<double>(action.up, most);
  const double down = std::min<double>(action.down, most);
  const State there = rebased(this, to, -1, to.t);
  const double lifted = there.z - to.z;
  int into = -2;
  double worst = 1;
  level = true;
  for (int foot = 0; foot < 2; ++foot) {
    to.feet[foot] = from.feet[foot], to.on[foot] = from.on[foot];
    if (!(action.lands >> foot & 1)) continue;
    const float* sole = action.soles[foot];
    const double x = there.x + there.cosine * sole[0] - there.sine * sole[1];
    const double y = there.y + there.sine * sole[0] + there.cosine * sole[1];
    const double yaw = there.heading + sole[2];
    const double base = ((action.lands >> (1 - foot) & 1) ? from.z : from.feet[1 - foot]) + lifted;
    // Where all of the sole is over the same level ground there is nothing to ask.
    const double c = std::cos(yaw), s = std::sin(yaw);
    const Square middle = square(x, y, from.z + lifted);
    bool even = middle.level && from.body < 0 && !passed_by(x, y, base, to.t);
    for (int corner = 0; corner < 4 && even; ++corner) {
      const double along = (corner & 1 ? kBeyond : -kBeyond) * limits.foot.length,
                   aside = (corner & 2 ? kBeyond : -kBeyond) * limits.foot.width;
      const Square& there = square(x + c * along - s * aside, y + s * along + c * aside, from.z);
      even = there.level && std::abs(there.floor - middle.floor) <= kEven;
    }
    double height = middle.floor;
    int under = -1;
    treads.tilt[foot][0] = treads.tilt[foot][1] = 0;
    if (!even) {
      level = false;
      const double reach = std::max<double>({limits.rise, action.up, action.down}) + 0.05;
      const Sole found = rest(snapshot_, limits.foot, x, y, base, yaw, to.t, reach);
      if (!found.middle || found.coverage < kHolds || found.torn) return -1;
      if (found.normal_z < std::cos(limits.max_slope)) return -1;
      if (snapshot_.body(found.body).moving) under = found.body;
      height = found.height;
      treads.tilt[foot][0] = static_cast<float>(found.slope[0]);
      treads.tilt[foot][1] = static_cast<float>(found.slope[1]);
      worst = std::min(worst, found.coverage - (found.blocked ? kToesBlocked : 0.0));
    }
    if (height - base > up || base - height > down) return -1;
    if ((under >= 0 || from.body >= 0) && !boards(from, under, {x, y, height}, to.t)) return -1;
    if (into != -2 && into != under) return -1;
    into = under;
    height -= lifted;
    // Feet that come down more than once do so unseen in between.
    if (action.often && (std::abs(height - from.z) > 2 * kEven || into != from.body)) return -1;
    level &= std::abs(height - from.feet[foot]) <= kEven;
    to.feet[foot] = height, to.on[foot] = into;
  }
  to.z = (to.feet[0] + to.feet[1]) / 2;
  return worst;
}

State Ground::settled(const Action& action, const State& from, const State& to,
                      Treads& treads) const {
  int32_t into = from.body;
  for (int foot = 0; foot < 2; ++foot)
    if (action.lands >> foot & 1) into = to.on[foot];
  const State there = rebased(this, to, into, to.t);
  if (into < 0) return there;
  // The ground's slope was seen in the world.
  const double turn = there.heading - rebased(this, to, -1, to.t).heading;
  const auto c = static_cast<float>(std::cos(turn)), s = static_cast<float>(std::sin(turn));
  for (auto& tilt : treads.tilt) {
    const float x = tilt[0], y = tilt[1];
    tilt[0] = c * x - s * y, tilt[1] = s * x + c * y;
  }
  return there;
}

bool Ground::lands(const Action& action, const State& from, bool rough, State& to, Treads& treads,
                   bool& level) {
  double best = held(action, from, rough, to, treads, level);
  if (!rough || level || action.often || action.flies || !action.lands) return best > 0;
  // A step that is a little longer or shorter may be held better.
  const State usual = to;
  const double length = std::hypot(action.dx, action.dy);
  double ahead_x = from.cosine, ahead_y = from.sine;
  if (length > 0.05) {
    ahead_x = (from.cosine * action.dx - from.sine * action.dy) / length;
    ahead_y = (from.sine * action.dx + from.cosine * action.dy) / length;
  }
  for (int k = 1; k <= kShifts; ++k)
    for (const double shift : {k * kShift, -k * kShift}) {
      State at = usual;
      at.x += shift * ahead_x, at.y += shift * ahead_y;
      Treads under;
      bool flat = false;
      const double value = held(action, from, rough, at, under, flat) - kShiftPrice * k * kShift;
      if (value <= best) continue;
      best = value, to = at, treads = under, level = flat;
    }
  return best > 0;
}

bool Ground::stands(const Action& stand, State& at) {
  Action both = stand;
  both.lands = 3;
  both.up = both.down = static_cast<float>(terrain_.settings().rise);
  const State from = at;
  Treads treads;
  bool level = true;
  if (held(both, from, true, at, treads, level) <= 0) return false;
  at = settled(both, from, at, treads);
  return true;
}

}  // namespace surefoot::footsteps
