// Moves: where the body goes while a piece of a clip plays, and where its feet stand.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace surefoot::control {

// A level frame: a place and a heading.
struct Level {
  double x = 0, y = 0, z = 0, heading = 0;

  bool operator==(const Level&) const = default;

  // What lies at `inner` in this frame, in the frame around it.
  Level then(const Level& inner) const { return then(inner, std::cos(heading), std::sin(heading)); }
  // Likewise, where cosine and sine of the heading are known.
  Level then(const Level& inner, double c, double s) const {
    return {x + c * inner.x - s * inner.y, y + s * inner.x + c * inner.y, z + inner.z,
            heading + inner.heading};
  }
  // The frame in which `inner` lies here.
  Level placing(const Level& inner) const {
    const double turned = heading - inner.heading;
    const double c = std::cos(turned), s = std::sin(turned);
    return {x - c * inner.x + s * inner.y, y - s * inner.x - c * inner.y, z - inner.z, turned};
  }
};

// A foot on the ground during a move.
struct Stand {
  int foot;
  double lands, leaves;  // [s] since the move's start; 0 where it stands already
  Level place;
};

struct Move {
  size_t first, count;      // of its path
  size_t first_foot, feet;  // of its stands, in order of landing
  double duration;
  bool still;        // can be left at any moment
  int end;           // the state in which it ends
  double reach = 0;  // [m]: how far it gets from its start
};

// By how much the character is turned during an action.
struct Turn {
  explicit Turn(double by)
      : by(by), c(std::cos(by)), s(std::sin(by)), ch(std::cos(by / 2)), sh(std::sin(by / 2)) {}
  double by, c, s, ch, sh;  // and of half of it
};

class Moves {
 public:
  std::vector<Move> moves;
  std::vector<Level> path;
  std::vector<Stand> stands;
  // Actions: a move, and by how much the character is turned meanwhile.
  std::vector<int32_t> action_moves;
  std::vector<Turn> turns;

  size_t actions() const { return action_moves.size(); }
  const Move& move(size_t action) const { return moves[action_moves[action]]; }
  // To be called once all is there: throws where parts do not fit each other.
  void measure();
  // Whether one stands in a state.
  bool stands_in(int state) const {
    return static_cast<size_t>(state) < standing_.size() && standing_[state];
  }
  // Where the body is at a time into an action, in the frame of its start.
  Level at(size_t action, double t) const;
  // Whether no foot stands at a time into an action.
  bool airborne(size_t action, double t) const;
  // Where a foot stands during an action.
  Level foot(size_t action, const Stand& stand) const;
  std::span<const Stand> feet(size_t action) const {
    const Move& m = move(action);
    return {stands.data() + m.first_foot, m.feet};
  }

 private:
  void check() const;
  Level plain(const Move& move, double t) const;
  Level turned(const Move& move, const Turn& turn, double t, const Level& plain) const;

  std::vector<bool> standing_;  // by state
};

}  // namespace surefoot::control
