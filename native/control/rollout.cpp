#include "control/rollout.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace surefoot::control {
namespace {

constexpr double kSwept = 1.0 / 15.0;   // [s] between points of ways that are swept
constexpr double kLooked = 1.0 / 30.0;  // [s] between looks whether the target is reached
constexpr double kLevel = 1e-3;         // [m]: ground this near to where it should be is there
constexpr double kSole = 0.35;          // of a foot's length: where heel and toes are asked for
constexpr double kMoment = 1e-9;        // [s]
constexpr double kSame = 0.05;          // [m, rad]: situations this alike are the same

double yaw(const Frame& frame) {
  const Vec3 ahead = frame.turn * Vec3{1, 0, 0};
  return std::atan2(ahead.y, ahead.x);
}

Vec3 point(const Level& level) { return {level.x, level.y, level.z}; }

}  // namespace

Level world_level(Snapshot* view, int frame, const Level& local, double t) {
  if (frame < 0 || view == nullptr) return local;
  const Frame& at = view->frame(frame, t);
  const Vec3 p = at.apply(point(local));
  return {p.x, p.y, p.z, local.heading + yaw(at)};
}

Level frame_level(Snapshot* view, int frame, const Level& world, double t) {
  if (frame < 0 || view == nullptr) return world;
  const Frame& at = view->frame(frame, t);
  const Vec3 p = at.unapply(point(world));
  return {p.x, p.y, p.z, world.heading - yaw(at)};
}

Level piece_level(const Moves& moves, Snapshot* view, const Piece& piece, double into) {
  const double t = piece.start + into - piece.begin;
  Level level = world_level(view, piece.frame, piece.origin.then(moves.at(piece.action, into)), t);
  level.x += piece.drift.x * (t - piece.start);
  level.y += piece.drift.y * (t - piece.start);
  level.z += piece.drift.z * (t - piece.start);
  return level;
}

Vec3 Roller::target_at(const Target& target, double t) const {
  if (target.frame < 0 || view_ == nullptr) return target.place;
  return view_->frame(target.frame, t).apply(target.place);
}

// Ends a piece and goes on in another frame.
void Roller::split(Piece& piece, double into, int frame, Vec3 drift, Rollout& out) const {
  const double t = piece.start + into - piece.begin;
  const Level here = piece_level(controller_.moves(), view_, piece, into);
  if (into > piece.begin + kMoment) {
    out.pieces.push_back(piece);
    out.pieces.back().end = into;
  }
  const Level local = frame_level(view_, frame, here, t);
  piece.origin = local.placing(controller_.moves().at(piece.action, into));
  piece.begin = into;
  piece.start = t;
  piece.frame = frame;
  piece.drift = drift;
}

// Whether two bodies never move against each other.
bool Roller::together(int one, int other) const {
  if (one == other) return true;
  const Body &a = view_->body(one), &b = view_->body(other);
  return (!a.moving && !b.moving) || a.trajectory->carrier() == b.trajectory->carrier();
}

// Whether a foot finds ground; the rest of the action goes on from there.
bool Roller::land(const Stand& stand, Piece& piece, Rollout& out) {
  const double t = piece.start + stand.lands - piece.begin;
  Level foot = world_level(view_, piece.frame,
                           piece.origin.then(controller_.moves().foot(piece.action, stand)), t);
  const Vec3 drifted = piece.drift * (t - piece.start);
  foot.x += drifted.x, foot.y += drifted.y, foot.z += drifted.z;
  const double c = std::cos(foot.heading), s = std::sin(foot.heading);
  const double steepest = std::cos(needs_.max_slope), reach = needs_.shape.step;
  Support under[2];
  for (int end = 0; end < 2; ++end) {
    const double along = (end == 0 ? -kSole : kSole) * needs_.foot_length;
    const Vec3 sole{foot.x + c * along, foot.y + s * along, foot.z};
    under[end] = view_->support(sole, t, reach, reach);
    const bool firm = under[end].body >= 0 && under[end].normal.z >= steepest;
    // Nobody stands on two bodies that move against each other.
    if (firm && (end == 0 || together(under[0].body, under[1].body))) continue;
    out.ending = Ending::kUnsupported;
    out.failure = sole;
    out.passing = true;
    out.time = t;
    split(piece, stand.lands, piece.frame, piece.drift, out);
    return false;
  }
  const int body = under[1].body;
  const int frame = view_->body(body).moving ? body : -1;
  const double up = 0.5 * (under[0].height + under[1].height) - foot.z;
  if (frame != piece.frame || piece.flying || std::abs(up) > kLevel) {
    split(piece, stand.lands, frame, {}, out);
    piece.flying = false;
    piece.origin.z += up;
  }
  return true;
}

// Whether nothing is in the way of a piece.
bool Roller::clear(const Piece& piece, Rollout& out) {
  const double lasts = piece.end - piece.begin;
  if (lasts <= kMoment) return true;
  const bool flying = piece.drift.x != 0 || piece.drift.y != 0 || piece.drift.z != 0;
  const int frame = flying ? -1 : piece.frame;
  const auto count = static_cast<size_t>(std::ceil(lasts / kSwept));
  times_.resize(count + 1);
  points_.resize(count + 1);
  const double c = std::cos(piece.origin.heading), s = std::sin(piece.origin.heading);
  for (size_t i = 0; i <= count; ++i) {
    const double into = piece.begin + lasts * static_cast<double>(i) / static_cast<double>(count);
    times_[i] = piece.start + into - piece.begin;
    points_[i] = flying
                     ? point(piece_level(controller_.moves(), view_, piece, into))
                     : point(piece.origin.then(controller_.moves().at(piece.action, into), c, s));
  }
  const Contact contact =
      first_contact(*view_, {frame, times_, points_}, needs_.shape, limits_.tolerance);
  if (contact.body < 0) return true;
  out.ending = Ending::kCollided;
  out.time = contact.time;
  out.passing = piece.frame >= 0 || flying || view_->body(contact.body).moving;
  const double into = piece.begin + contact.time - piece.start;
  out.failure = point(piece_level(controller_.moves(), view_, piece, into));
  return false;
}

// Whether an action has ended on a frame, with its ground below the body.
bool Roller::aboard(const Piece& piece, int frame) const {
  const Moves& moves = controller_.moves();
  if (piece.end < moves.move(piece.action).duration - kMoment) return false;
  if (view_ == nullptr) return true;
  const Vec3 body = point(piece_level(moves, view_, piece, piece.end));
  const double step = needs_.shape.step;
  const int below = view_->support(body, piece.until(), step, step).body;
  return below >= 0 && (view_->body(below).moving ? below : -1) == frame;
}

std::optional<double> Roller::arrival(const Piece& piece, const Target& target) const {
  if (limits_.wait >= 0.0 || (view_ != nullptr && piece.frame != target.frame)) return std::nullopt;
  if (target.boards) return aboard(piece, target.frame) ? std::optional(piece.end) : std::nullopt;
  // In the frame of the action, where the target rests as the body does.
  const Moves& moves = controller_.moves();
  const double c = std::cos(piece.origin.heading), s = std::sin(piece.origin.heading);
  const double dx = target.place.x - piece.origin.x, dy = target.place.y - piece.origin.y;
  const double x = c * dx + s * dy, y = c * dy - s * dx;
  const double reach = moves.move(piece.action).reach + target.radius;
  if (x * x + y * y > reach * reach) return std::nullopt;
  if (controller_.ends_standing()) {
    const Move& move = moves.move(piece.action);
    if (piece.end < move.duration - kMoment || !moves.stands_in(move.end)) return std::nullopt;
    const Level here = moves.at(piece.action, piece.end);
    const bool near = std::hypot(x - here.x, y - here.y) <= target.radius;
    const double up = target.place.z - piece.origin.z - here.z;
    const bool level = view_ == nullptr || std::abs(up) <= needs_.shape.step;
    return near && level ? std::optional(piece.end) : std::nullopt;
  }
  const double lasts = piece.end - piece.begin;
  const int looks = std::max(1, static_cast<int>(std::ceil(lasts / kLooked)));
  for (int i = 0; i <= looks; ++i) {
    const double into = piece.begin + lasts * i / looks;
    const Level here = moves.at(piece.action, into);
    const double ax = x - here.x, ay = y - here.y;
    if (ax * ax + ay * ay > target.radius * target.radius) continue;
    const double up = target.place.z - piece.origin.z - here.z;
    // At its end a move stands on what it stood on before.
    const double then = std::min(into, moves.move(piece.action).duration - 1e-6);
    if (view_ != nullptr &&
        (std::abs(up) > needs_.shape.step || moves.airborne(piece.action, then)))
      continue;
    return into;
  }
  return std::nullopt;
}

// Plays an action from where a piece begins until `until` [s into it]; false when that ends it.
bool Roller::play(Piece piece, double until, const Target& target, Rollout& out) {
  const Moves& moves = controller_.moves();
  const size_t first = out.pieces.size();
  const double from = piece.begin;
  bool fine = true;
  if (view_ != nullptr) {
    // Moves are cut where feet come down: that foot belongs to the move that begins then.
    const Stand* down = nullptr;
    for (const Stand& stand : moves.feet(piece.action))
      if (from <= kMoment && stand.lands <= kMoment &&
          (down == nullptr || stand.leaves > down->leaves))
        down = &stand;
    if (down != nullptr) fine = land(*down, piece, out);
    for (const Stand& stand : moves.feet(piece.action)) {
      if (!fine) break;
      // A take-off from what moves: the body keeps the speed it had.
      if (stand.lands > from + kMoment && stand.lands <= until + kMoment)
        fine = land(stand, piece, out);
      if (!fine) break;
      if (piece.frame >= 0 && stand.leaves > from + kMoment && stand.leaves < until &&
          moves.airborne(piece.action, stand.leaves)) {
        const double t = piece.start + stand.leaves - piece.begin;
        const Level here = piece_level(moves, view_, piece, stand.leaves);
        const Vec3 given = view_->surface_velocity(piece.frame, point(here), t);
        split(piece, stand.leaves, -1, given, out);
        piece.flying = true;  // also where that ground rests just then
      }
    }
  }
  if (fine) {
    out.pieces.push_back(piece);
    out.pieces.back().end = until;
  }
  // In order: what is reached first counts, and what is in the way before that.
  for (size_t i = first; i < out.pieces.size(); ++i) {
    const std::optional<double> reached = arrival(out.pieces[i], target);
    if (reached) {
      out.pieces.resize(i + 1);
      out.pieces[i].end = *reached;
    }
    if (view_ != nullptr && !clear(out.pieces[i], out)) {
      out.pieces.resize(i + 1);
      Piece& last = out.pieces[i];
      last.end = last.begin + out.time - last.start;
      return false;
    }
    if (reached) {
      out.ending = Ending::kReached;
      out.time = out.pieces[i].until();
      return false;
    }
  }
  return fine;
}

// Likewise, `at` what was played before.
bool Roller::play_or_recall(int& at, const Piece& piece, double until, const Target& target,
                            Rollout& out) {
  if (!remembers_) return play(piece, until, target, out);
  if (const int known = played_.find(at, piece.action); known >= 0) {
    at = known;
    const Played::Outcome& outcome = played_.outcome(known);
    played_.append(known, out.pieces);
    if (outcome.fine) return true;
    out.ending = outcome.ending;
    out.time = outcome.time;
    out.failure = outcome.failure;
    out.passing = outcome.passing;
    return false;
  }
  const size_t first = out.pieces.size();
  const bool fine = play(piece, until, target, out);
  at = played_.add(at, piece.action, out.pieces, first,
                   {fine, out.ending, out.time, out.failure, out.passing});
  return fine;
}

Configuration Roller::left_at(const Piece& piece) const {
  const Moves& moves = controller_.moves();
  const bool flying = piece.drift.x != 0 || piece.drift.y != 0 || piece.drift.z != 0;
  const Level level = flying ? piece_level(moves, view_, piece, piece.end)
                             : piece.origin.then(moves.at(piece.action, piece.end));
  return {piece.frame, level, piece.action, piece.end};
}

// The frame that carries, or carried until the flight that is on.
int Roller::carrier(const Rollout& out) const {
  for (size_t i = out.pieces.size(); i-- > 0;) {
    const Vec3& drift = out.pieces[i].drift;
    if (drift.x == 0 && drift.y == 0 && drift.z == 0) return out.pieces[i].frame;
  }
  return out.last.frame;
}

// Values between grid points are too good where they fall steeply, so that one may turn to and fro
// or run round a target for ever.
int Roller::decide(const Controller& deciding, size_t state,
                   const std::array<double, learning::kMostAxes>& task, double radius) {
  const learning::TaskSpace& space = deciding.space();
  const auto same = [&](const Past& past) {
    if (past.deciding != &deciding || past.state != state) return false;
    for (size_t k = 0; k < space.dimensions(); ++k) {
      double apart = past.task[k] - task[k];
      if (space.axis(k).circular()) apart = std::remainder(apart, 2.0 * std::numbers::pi);
      if (!(std::abs(apart) < kSame)) return false;
    }
    return true;
  };
  int action = deciding.choose(state, task.data(), radius);
  done_.clear();
  for (const Past& past : past_)
    if (same(past)) done_.push_back(past.action);
  if (std::find(done_.begin(), done_.end(), action) != done_.end()) {
    const int other = deciding.choose_other(state, task.data(), radius, done_);
    if (other >= 0) action = other;
  }
  past_.push_back({&deciding, state, action, task});
  return action;
}

void Roller::roll(const Configuration& start, double t, const Target& target,
                  const Situation& about, Rollout& out) {
  const Moves& moves = controller_.moves();
  out.pieces.clear();
  past_.clear();
  out.ending = Ending::kLate;
  out.last = start;
  const double begin = t;
  std::array<double, learning::kMostAxes> task;
  Situation now = about;
  Piece piece{start.action,
              start.into,
              0,
              t,
              start.frame,
              start.level.placing(moves.at(start.action, start.into)),
              {}};
  double until = moves.move(start.action).duration;
  if (moves.move(start.action).still) piece.begin = until;
  int at = Played::kStart;
  for (;;) {
    // What is under way goes on to its end first.
    if (until > piece.begin + kMoment && !play_or_recall(at, piece, until, target, out)) break;
    if (!out.pieces.empty()) {
      out.last = left_at(out.pieces.back());
      t = out.pieces.back().until();
    }
    out.time = t;
    const double left = limits_.wait - (t - begin);
    if (limits_.wait >= 0.0 && left <= kMoment) {
      out.ending = Ending::kReached;
      break;
    }
    if (t - begin > limits_.longest) break;
    // Seen from the world as it is now; a target that moves is met where it will be.
    const Level here = world_level(view_, out.last.frame, out.last.level, t);
    now.obstacle = world_level(view_, start.frame, about.obstacle, t);
    Vec3 there = target_at(target, t);
    if (target.frame >= 0 && target.frame != carrier(out)) {
      const double away = std::hypot(there.x - here.x, there.y - here.y);
      there = target_at(target, t + away / target.speed);
    }
    now.target = {there.x, there.y, there.z, 0};
    const auto state = static_cast<size_t>(moves.move(out.last.action).end);
    const Controller& deciding = controller_.deciding(now, here, state, target.radius);
    deciding.task(now, here, t - begin, task.data());
    const int action = decide(deciding, state, task, target.radius);
    if (action < 0) {
      out.ending = Ending::kStuck;
      break;
    }
    until = moves.move(action).duration;
    if (limits_.wait >= 0.0 && moves.move(action).still) until = std::min(until, left);
    piece = {action, 0, 0, t, out.last.frame, out.last.level, {}};
  }
  if (!out.pieces.empty()) {
    out.last = left_at(out.pieces.back());
  }
}

}  // namespace surefoot::control
