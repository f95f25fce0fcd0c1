// What a way that was run is worth: whether it goes from body to body as people do, and its cost.
#include <algorithm>
#include <cmath>

#include "spacetime/running.hpp"

namespace surefoot::spacetime {
namespace {

using control::Level;
using control::Piece;

constexpr double kMoment = 1e-9;       // [s]
constexpr double kCharged = 1.0 / 15;  // [s] between moments that are charged for
constexpr double kBelow = 0.4;         // [m] above and below a body where its ground is
constexpr double kFlight = 0.25;       // [s]: what is in the air for longer leaps
constexpr double kStride = 0.65;       // [m] that a step from body to body crosses
constexpr double kAround = 0.6;        // [s]
// [s] by which a foot is still where the body was, or already where it will be.
constexpr double kFeet[] = {-0.3, 0.25, 0.45};
constexpr double kBrushed = 0.1;  // [s] between looks
constexpr double kSlip = 0.02;    // [m/s]: what moves so little past a body carries it

// [m] from where one arrives one may stand who stays there: STOPPING of Search in Python.
constexpr double kStopping = 1.5;

}  // namespace

// Whoever arrives is anywhere near enough to a landmark, and farther on after a stop. Costs count
// on the same as `ahead` does.
Least Running::least(int from, int to, double waiting) const {
  double speed = 0, near = settings_.boarding, carry = kStopping;
  double lower = kInfinity, metre = kInfinity;
  for (const Skill& skill : skills_) {
    speed = std::max(speed, skill.speed);
    near = std::max(near, skill.arrival);
    carry = std::max(carry, skill.carry);
    lower = std::min(lower, skill.lower);
    metre = std::min(metre, skill.metre);
  }
  const auto around = [&](int landmark) {
    if (landmark == begins_) return 0.0;
    return radii_[landmark] < 0 ? near : radii_[landmark];
  };
  const double way = meetings_.least(from, to) - around(from) - around(to);
  if (way == kInfinity) return {};
  if (!in_order(from, to))
    speed += meetings_.fastest(meetings_.landmarks()[from].frame) +
             meetings_.fastest(meetings_.landmarks()[to].frame);
  const double time = std::max(way - carry, 0.0) / speed;
  const double cost = std::max(metre * std::max(way, 0.0), lower * time);
  return {time, cost, std::max(lower - waiting, 0.0) * time};
}

// Whether a jump's flight ends where a piece begins.
bool Running::leaps(const Piece& piece) const {
  double left = -kInfinity;
  for (const control::Stand& stand : skills_.front().go->moves().feet(piece.action)) {
    if (stand.lands >= piece.begin - kMoment) break;
    left = std::max(left, stand.leaves);
  }
  return piece.begin - left > kFlight;
}

// [m] that the body goes without ground below around a time, as seen from a frame.
double Running::widest(double t, int frame) {
  const control::Moves& moves = skills_.front().go->moves();
  double wide = 0, most = 0;
  Vec3 last{};
  bool any = false;
  for (const Piece& piece : adapted_.rollout.pieces) {
    if (piece.until() < t - kAround || piece.start > t + kAround) continue;
    const double lasts = piece.end - piece.begin;
    const int steps = std::max(1, static_cast<int>(std::ceil(lasts * 30)));
    for (int i = 0; i <= steps; ++i) {
      const double into = piece.begin + lasts * i / steps, then = piece.start + lasts * i / steps;
      const Level level = control::piece_level(moves, &view_, piece, into);
      const Vec3 here{level.x, level.y, level.z};
      const Vec3 seen = frame < 0 ? here : view_.frame(frame, then).unapply(here);
      const double step = skills_.front().needs.shape.step;
      const Support ground = view_.support(here, then, step, step);
      if (ground.body >= 0)
        wide = 0;
      else if (any)
        wide += std::hypot(seen.x - last.x, seen.y - last.y);
      most = std::max(most, wide);
      last = seen;
      any = true;
    }
  }
  return most;
}

// Whether a way is carried by none but its two bodies, a third is two ways, and goes from one to
// the other with a foot on the ground or in a jump.
bool Running::crosses_well(const Landmark& from, const Landmark& to) {
  const control::Moves& moves = skills_.front().go->moves();
  int carrier = from.frame;
  for (const Piece& piece : adapted_.rollout.pieces) {
    const auto feet = moves.feet(piece.action);
    const bool stands = std::any_of(feet.begin(), feet.end(), [&](const control::Stand& stand) {
      return stand.lands < piece.end - kMoment && stand.leaves > piece.begin + kMoment;
    });
    if (!stands) continue;
    if (piece.frame != from.frame && piece.frame != to.frame) return false;
    if (piece.frame == carrier) continue;
    carrier = piece.frame;
    if (jumping_[piece.action] && leaps(piece)) continue;
    if (std::min(widest(piece.start, from.frame), widest(piece.start, to.frame)) > kStride)
      return false;
  }
  return true;
}

// Whether something that passes close behind or before a body brushes a foot that trails or leads
// it.
bool Running::brushed(const control::Rollout& rollout, const Shape& shape) {
  const control::Moves& moves = skills_.front().go->moves();
  for (const Piece& piece : rollout.pieces) {
    if (piece.frame >= 0 || piece.flying) continue;
    const double lasts = piece.end - piece.begin;
    const int looks = std::max(1, static_cast<int>(std::ceil(lasts / kBrushed)));
    for (int i = 0; i < looks; ++i) {
      const double into = piece.begin + lasts * i / looks;
      const double now = piece.start + into - piece.begin;
      const Level level = control::piece_level(moves, &view_, piece, into);
      const Vec3 foot{level.x, level.y, level.z};
      for (const double later : kFeet) {
        const double then = now + later;
        const bool hit = view_.visit(shape_box(shape, foot), then, [&](int id) {
          return view_.body(id).moving && view_.overlaps(id, then, shape, foot);
        });
        if (hit) return true;
      }
    }
  }
  return false;
}

// Whether there is ground below a body where one way ends and the next begins, that carries it:
// between two steps nobody hangs over an edge, or over what goes past.
bool Running::on_ground(const control::Configuration& configuration, double t,
                        const control::Needs& needs) {
  const int frame = configuration.frame;
  const Vec3 place{configuration.level.x, configuration.level.y, configuration.level.z};
  const Vec3 body = frame < 0 ? place : view_.frame(frame, t).apply(place);
  const Support ground = view_.support(body, t, needs.shape.step, needs.shape.step);
  if (ground.body < 0 || ground.normal.z < std::cos(needs.max_slope)) return false;
  const Vec3 carried = frame < 0 ? Vec3{} : view_.surface_velocity(frame, body, t);
  return length(ground.velocity - carried) <= kSlip;
}

double Running::cost(int skill_id, const control::Rollout& rollout) {
  const Skill& skill = skills_[skill_id];
  if (rollout.pieces.empty()) return 0;
  const double first = rollout.pieces.front().start;
  double total = skill.rate * (rollout.time - first);
  const bool on_bodies = std::any_of(charges_.on_body.begin(), charges_.on_body.end(),
                                     [](double rate) { return rate > 0; });
  if (!on_bodies && charges_.per_speed_squared == 0 && !charges_.own) return total;
  const control::Moves& moves = skill.go->moves();
  times_.clear(), points_.clear(), velocities_.clear();
  for (const Piece& piece : rollout.pieces) {
    const double lasts = piece.end - piece.begin;
    if (lasts <= kMoment) continue;
    const int steps = std::max(1, static_cast<int>(std::ceil(lasts / kCharged)));
    const double each = lasts / steps;
    for (int i = 0; i < steps; ++i) {
      const double into = piece.begin + each * (i + 0.5), t = piece.start + each * (i + 0.5);
      const Level a = moves.at(piece.action, into - 0.5 * each),
                  b = moves.at(piece.action, into + 0.5 * each);
      const double speed = std::hypot(b.x - a.x, b.y - a.y) / each;
      total += charges_.per_speed_squared * speed * speed * each;
      if (!on_bodies && !charges_.own) continue;
      const Level here = control::piece_level(moves, &view_, piece, into);
      const Vec3 point{here.x, here.y, here.z};
      if (on_bodies) {
        const Support ground = view_.support(point, t, kBelow, kBelow);
        if (ground.body >= 0) total += charges_.on_body[ground.body] * each;
      }
      if (charges_.own) {
        times_.push_back(t);
        points_.push_back(point);
        const double heading = here.heading;  // along the way
        velocities_.push_back({speed * std::cos(heading), speed * std::sin(heading), 0});
      }
    }
  }
  if (charges_.own) total += charges_.own(skill_id, times_, points_, velocities_);
  return total;
}

}  // namespace surefoot::spacetime
