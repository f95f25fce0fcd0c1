#include "control/moves.hpp"

#include <algorithm>

#include "math/checks.hpp"

namespace surefoot::control {
namespace {

constexpr double kMoment = 1e-9;  // [s]

// As the step engine spreads a turn over a step: level and unbent at both ends.
double smootherstep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (x * (6.0 * x - 15.0) + 10.0);
}

}  // namespace

void Moves::check() const {
  // States are numbered from 0, and kept in a list as long as the highest number.
  constexpr int kMostStates = 1 << 24;
  for (const Move& move : moves) {
    require(move.count >= 2 && move.first <= path.size() && move.count <= path.size() - move.first,
            "a move has ", move.count, " points from point ", move.first, " on; it needs two or ",
            "more of ", path.size());
    require(move.first_foot <= stands.size() && move.feet <= stands.size() - move.first_foot,
            "a move has stands that are not there");
    require(move.duration > 0 && move.duration <= kMaxTime, "duration is ", move.duration,
            " s; it must be above 0");
    check_number(move.end, "the end of a move", move.still ? 0 : -1, kMostStates);
  }
  for (const Level& level : path)
    for (const double number : {level.x, level.y, level.z, level.heading})
      check_coordinate(number, "a number of a path");
  check_count(turns.size(), "turns", action_moves.size(), "actions");
  check_indices(std::span<const int32_t>(action_moves), moves.size(), "actions");
  for (const Turn& turn : turns) check_finite(turn.by, "a turn");
}

void Moves::measure() {
  check();
  for (const Move& move : moves) {
    if (!move.still) continue;
    if (static_cast<size_t>(move.end) >= standing_.size()) standing_.resize(move.end + 1, false);
    standing_[move.end] = true;
  }
  for (Move& move : moves)
    for (size_t i = move.first; i < move.first + move.count; ++i)
      // Turned, the way bends by no more than it is long.
      move.reach = std::max(move.reach, 1.5 * std::hypot(path[i].x, path[i].y));
}

Level Moves::plain(const Move& move, double t) const {
  const auto last = static_cast<double>(move.count - 1);
  const double at = std::clamp(t / move.duration * last, 0.0, last);
  const size_t i = std::min(static_cast<size_t>(at), move.count - 2);
  const double share = at - static_cast<double>(i);
  const Level &a = path[move.first + i], &b = path[move.first + i + 1];
  return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z),
          a.heading + share * (b.heading - a.heading)};
}

Level Moves::turned(const Move& move, const Turn& turn, double t, const Level& plain) const {
  if (turn.by == 0.0) return plain;
  // The clip as a whole goes over from where it lies to where it lies turned; its way is turned
  // by half (beacco2013, section 6; see playing/legs.py).
  const Level& end = path[move.first + move.count - 1];
  const double share = smootherstep(t / move.duration);
  const double dx = plain.x - end.x, dy = plain.y - end.y;
  const double x = turn.ch * end.x - turn.sh * end.y + turn.c * dx - turn.s * dy;
  const double y = turn.sh * end.x + turn.ch * end.y + turn.s * dx + turn.c * dy;
  return {plain.x + share * (x - plain.x), plain.y + share * (y - plain.y), plain.z,
          plain.heading + share * turn.by};
}

Level Moves::at(size_t action, double t) const {
  const Move& m = move(action);
  return turned(m, turns[action], t, plain(m, t));
}

bool Moves::airborne(size_t action, double t) const {
  for (const Stand& stand : feet(action))
    if (stand.lands <= t + kMoment && t < stand.leaves - kMoment) return false;
  return true;
}

Level Moves::foot(size_t action, const Stand& stand) const {
  const Move& m = move(action);
  if (turns[action].by == 0.0 || stand.lands <= 0.0) return stand.place;
  // It keeps its place beside the body as that is when it lands.
  const Level before = plain(m, stand.lands);
  const Level inner = [&] {
    const double c = std::cos(before.heading), s = std::sin(before.heading);
    const double dx = stand.place.x - before.x, dy = stand.place.y - before.y;
    return Level{c * dx + s * dy, c * dy - s * dx, stand.place.z - before.z,
                 stand.place.heading - before.heading};
  }();
  return turned(m, turns[action], stand.lands, before).then(inner);
}

}  // namespace surefoot::control
