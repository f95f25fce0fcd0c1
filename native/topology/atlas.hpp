// The world as somebody sees it who does not know what comes next (lopez2012, 3.3 to 4.2): which
// bodies can be stood on, which surfaces can be reached from which, when and how often.
//
// Bodies are watched frame by frame. Volumes are boxes where something is only looked for and exact
// queries where something is decided.
#pragma once

#include <memory>
#include <unordered_map>

#include "topology/roadmap.hpp"

namespace surefoot::topology {

struct Settings {
  Sampling sampling;
  double tilt;      // [rad] by which a body may lean before its surfaces are made anew (Delta)
  double still;     // [rad/s] slower leaning is no tumbling
  double settling;  // [s] without tumbling after which surfaces are made anew
  double ahead;     // [s] for which motions are taken to go on
  double forget;    // [s] without being valid after which a relation is dropped
  double stride;    // [m] of ground that is stepped over without a jump
  int rebuilds;     // bodies whose surfaces are made anew in a frame, at most
  int samples;      // jumps that are tried in a frame
  int kept;         // possible jumps that a relation remembers
  uint64_t seed;
};

// A possible way over: between configurations of two roadmaps.
struct Jump {
  int from = -1, to = -1;  // nodes of the two bodies' roadmaps
  double lasts = 0;        // [s]
  double time = 0;         // [s] when it was possible
  bool step = false;       // on foot
};

// How one surface could be reached from another over time.
struct Relation {
  int from, to;  // surfaces
  bool valid = false;
  bool whole = false;                     // the present spell was seen from its beginning
  double since = 0;                       // [s] begin of the present spell
  int times_valid = 0;                    // onsets
  double valid_sum = 0, invalid_sum = 0;  // [s] of whole spells
  int valid_spells = 0, invalid_spells = 0;
  double onset = -kInfinity;  // [s] the last one that was seen
  double between_sum = 0, between_squares = 0;
  int between_count = 0;
  double speed_sum = 0;  // [m/s] of one relative to the other, while valid
  int64_t valid_frames = 0;
  double checked = 0;  // [s] when last looked at
  double gap = 0;      // [m] by which nothing was in reach
  Vec3 gap_at;         // where the one was, seen from the other, then
  Quat gap_turn;
  int witness_from = -1, witness_to = -1;
  std::vector<Jump> jumps;
  int tried = 0, found = 0;  // jumps
  int tried_lately = 0;      // since something changed around it
  uint64_t stamp = 0;

  double mean_valid(double now) const;
  double mean_invalid(double now) const;
  double mean_speed() const {
    return valid_frames ? speed_sum / static_cast<double>(valid_frames) : 0;
  }
  // Never seen to end.
  bool stable() const {
    return valid && times_valid == 1 && invalid_spells == 0 && valid_spells == 0;
  }
};

constexpr double kTrembles = 0.08;  // [m/s]
constexpr double kTwitches = 0.3;   // [rad/s]

struct Thing {
  bool alive = false;
  bool forbidden = false;  // nobody may stand on it
  bool awake = true;       // it moved since the frame before
  bool tumbling = false;
  Pose pose;
  Frame frame;
  Twist twist;
  Vec3 change;             // [m/s^2] of its velocity, of late
  Vec3 built_up{0, 0, 1};  // the vertical, in its frame, for which its roadmap was made
  double steady_since = 0;
  double moved_at = -kInfinity;
  uint64_t built = 0;  // the frame in which its roadmap was made
  std::shared_ptr<const Roadmap> roadmap;
  std::vector<int> surfaces;
  Box box;  // of all of it, as far as motions are taken to go on
  int leaf = -1;
  // Per edge and skill, and per node and skill: 0 not known, 1 clear, 2 blocked by something at
  // rest.
  std::vector<uint8_t> known, room;

  // Awake, but it goes nowhere: what lies in a heap.
  bool trembles() const {
    return awake && length(twist.linear) < kTrembles && length(twist.angular) < kTwitches;
  }
};

// Which bodies somebody may run into.
enum class Among { kAll, kResting, kTrembling };

struct Surface {
  int body, part;
  bool alive = true;
  Box box;
  int leaf = -1;
  std::vector<int> out, in;  // relations
};

// What a search or a sampling asked, for statistics.
struct Effort {
  int64_t tests = 0;        // obstruction tests
  int64_t nanoseconds = 0;  // in them
};

struct Frametimes {
  double detection = 0, graph = 0, sampling = 0, building = 0;  // [s]
  int awake = 0, tumbling = 0, rebuilt = 0, pairs = 0, obstructions = 0, tried = 0;
};

// A timed way on one body.
struct Step {
  int node;  // -1 for the start
  Vec3 position;
  double time;
  int skill;
};

struct Search {
  int surface = -1;
  Vec3 start;  // in the body's frame
  double time = 0;
  int skill = 0;
  std::vector<int> targets;
  int most_nodes = 4000;
  double wait = 0.25;   // [s] grain of waiting
  double change = 0.4;  // [s] that a change of posture takes
  bool obstacles = true;
};

struct Found {
  std::vector<Step> steps;
  bool reached = false;
  int expanded = 0;
  Effort effort;
};

// What a traveller dares (4.3).
struct Daring {
  double max_speed;  // [m/s] mean relative speed of a relation, at most
  double min_valid;  // [s] mean time for which it is valid, at least
};

// A change of surfaces: the relation that is taken, between which configurations.
struct Hop {
  int relation = -1, from = -1, to = -1;
};

// A way over several surfaces as far as what is at rest leaves room: where it changes surfaces.
struct Passage {
  std::vector<Hop> hops;
  bool reached = false;
  int expanded = 0;
  Effort effort;
};

struct Decided {
  bool possible = false;
  Jump jump;
  Flight flight;
  double score = kInfinity;
};

class Atlas {
 public:
  Atlas(std::shared_ptr<const World> world, std::vector<Skill> skills, const Leap& leap,
        const Settings& settings);

  // Takes notice of bodies, all of which are watched from then on.
  void admit(int body, bool forbidden);
  // The world as it is at `t`. With `all`, everything that has no surfaces yet gets them.
  void update(double t, bool all);

  double now() const { return now_; }
  const std::vector<Skill>& skills() const { return skills_; }
  const Leap& leap() const { return leap_; }
  const Settings& settings() const { return settings_; }
  const Thing& thing(int body) const { return things_[body]; }
  // Throw where there is no such thing, surface or relation.
  void check_thing(int body) const;
  void check_surface(int surface) const;
  void check_relation(int relation) const;
  int thing_count() const { return static_cast<int>(things_.size()); }
  const std::vector<Surface>& surfaces() const { return surfaces_; }
  const std::vector<Relation>& relations() const { return relations_; }
  const Frametimes& frame() const { return frame_; }
  int64_t pruned() const { return pruned_; }

  // The surface and the configuration of a body nearest to a position of its frame; -1 for none.
  int nearest(int body, Vec3 local, double most) const;
  // Surfaces to cross, as relations, from one to another; empty where there is no way. Relations
  // may be shut out.
  std::vector<int> route(int from, int to, const Daring& daring, std::span<const int> shut,
                         bool& reached) const;
  Found search(const Search& asked);
  // Configuration by configuration over all surfaces, where the way on the one at hand is
  // obstructed: around by way of others, and back. Targets of `asked` are nodes of the goal's body.
  Passage passage(const Search& asked, int goal, const Daring& daring, std::span<const int> shut,
                  std::span<const Hop> spent);
  // A jump from a position on one surface to another one, now; near a landing where one is given.
  Decided decide(int relation, Vec3 local, double t, int landing = -1);
  // When a straight timed path in a body's frame (or the world's: -1) first meets something as it
  // seems to move; `among` skips one body.
  double first_contact(int frame, std::span<const double> times, std::span<const Vec3> positions,
                       const Shape& shape, int except, int* body);
  // Skills that something takes away from a configuration as things are now, exactly.
  uint8_t obstructed(int body, int node) const;

 private:
  struct Cursor;  // one snapshot's way of asking

  void look(Snapshot& view, double t);
  void rebuild(Snapshot& view, bool all);
  void drop_surfaces(Thing& thing);
  void place(Snapshot& view, int body);
  void relate();
  bool in_reach(Relation& relation);
  int relation_between(int from, int to);
  void set_valid(Relation& relation, bool valid);
  void remove_relation(int index);
  void sample(Snapshot& view);
  bool try_jump(Snapshot& view, const Relation& relation, int from, int to, double t, Vec3 start,
                Decided& best);
  void forget_edges(const Box& box);
  // [s] What it costs to take a relation; infinity for those that are not to be taken.
  double price(int relation, const Daring& daring, std::span<const int> shut) const;
  // Whether neither surface of a relation has moved of late.
  bool at_rest(const Relation& r) const {
    return !things_[surfaces_[r.from].body].awake && !things_[surfaces_[r.to].body].awake;
  }
  // Whether nothing but its carrier is where somebody would stand now.
  bool free_at(Snapshot& view, Vec3 foot, const Shape& shape, int carrier) const;
  bool clear(Snapshot& view, int frame, std::span<const double> times,
             std::span<const Vec3> positions, const Shape& shape, int except, Among among,
             Contact* contact, Effort* effort) const;
  uint64_t random();

  std::shared_ptr<const World> world_;
  std::vector<Skill> skills_;
  Leap leap_;
  Settings settings_;
  double far_, rise_, drop_;

  double now_ = -kInfinity;
  uint64_t frame_count_ = 0, random_state_;
  std::vector<Thing> things_;
  std::vector<Surface> surfaces_;
  std::vector<Relation> relations_;
  std::vector<int> free_relations_;
  std::unordered_map<uint64_t, int> between_;  // relations by their two surfaces
  BoxTree bodies_tree_, surfaces_tree_;
  size_t next_sample_ = 0, next_fresh_ = 0;
  int64_t pruned_ = 0;
  Frametimes frame_;
};

}  // namespace surefoot::topology
