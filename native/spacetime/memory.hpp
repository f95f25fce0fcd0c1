// What searches remember of each other: ways that were run from the same start are the same again
// while nothing has changed where they lead.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "control/rollout_types.hpp"
#include "spacetime/edges.hpp"

namespace surefoot::spacetime {

// How somebody comes to a stand who stays at a landmark.
enum class Halt : int32_t {
  kStraight,  // where a stride ends that leads straight ahead
  kInstead,   // by a controller that stands at the landmark, instead of the one that led there
  kAfter,     // by such a controller, after that one
};

// A configuration that a search reached.
struct RunState {
  control::Configuration arrived;
  control::Configuration from;  // where the way here began
  double begins = 0;            // [s]
  int skill = -1;               // that led here; -1 at the start
  int left = -1, to = -1;       // landmarks: where it led from, and where it is
  double paid = 0;              // for the way here
  Halt halt = Halt::kStraight;
  double halted = 0;           // what it costs to come to a stand by a controller
  Vec3 place;                  // in the frame
  bool asked = false;          // whether it was asked to settle
  double settling = -1;        // [s] of the wait that settles it; 0: it stands; -1: it cannot
  double settled = kInfinity;  // [s] when it stands
  control::Configuration stands;
  // Bits by skill: whether it was asked what is met by what is under way, and whether anything is.
  uint64_t asked_under_way = 0, meets_under_way = 0;
  double safe_until = -kInfinity;  // [s] to which it is known to be able to stay
  bool safe_ends = false;          // whether it cannot stay longer
};

// What became of ways of a kind.
struct Tries {
  double all, succeeded, late;  // late: [s] in all beyond their bounds
  double longer() const { return late / succeeded; }
  // How often one tries in vain for each success.
  double vain() const { return all / succeeded - 1; }
};

class RunMemory {
 public:
  struct Key {
    int state, to, controller;
    double departs;
    auto operator<=>(const Key&) const = default;
  };
  struct Way {
    std::optional<Arrived> arrived;
    control::Ending failed;
    bool passing;  // whether what it met moves
    // Nothing that is farther away, or at another time, matters to it.
    Vec3 about;
    double radius, begins, ends;
    int plan;  // that asked for it last
  };

  std::deque<RunState> states;
  std::map<Key, Way> ways;
  size_t ran = 0;       // ways, in all searches
  size_t recalled = 0;  // ways of the last search that were known, and
  size_t repeated = 0;  // those of them that the same plan has asked for before
  int plan = 0;
  std::vector<Tries> along, across;  // by kind of way, over the ground and from body to body
  std::vector<Tries> along_then, across_then;  // when the last round began

  void begin_plan() {
    ++plan;
    along.clear();
    across.clear();
  }
  // A round that is stopped begins again as it began.
  void begin_round() { along_then = along, across_then = across; }
  void take_back_round() { along = along_then, across = across_then; }
  // Forgets what may depend on something in a box during a time.
  void forget(const Box& box, double from, double to) {
    std::erase_if(ways, [&](const auto& known) {
      const Way& way = known.second;
      if (way.begins > to || way.ends < from) return false;
      const Vec3 nearest{std::clamp(way.about.x, box.lo.x, box.hi.x),
                         std::clamp(way.about.y, box.lo.y, box.hi.y),
                         std::clamp(way.about.z, box.lo.z, box.hi.z)};
      return length(nearest - way.about) <= way.radius;
    });
  }
  // Where one can stay is asked again, and what is met under way.
  void forget_stays() {
    for (RunState& state : states) {
      state.asked = false;
      state.halt = Halt::kStraight;
      state.halted = 0;
      state.settling = -1;
      state.settled = kInfinity;
      state.safe_until = -kInfinity;
      state.safe_ends = false;
      state.asked_under_way = state.meets_under_way = 0;
    }
  }
};

}  // namespace surefoot::spacetime
