// The world under and around feet: what is at rest, kept in squares of the ground so that most
// questions cost a look-up, and what moves, asked exactly at its time (beacco2013, 5.5.1, 5.5.2).
#pragma once

#include <array>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "footsteps/acted.hpp"
#include "footsteps/footing.hpp"

namespace surefoot::footsteps {

struct TerrainSettings {
  double height = 1.8;      // [m] of the body
  double rise = 0.35;       // [m] up and down that one step may go, at most
  double max_slope = 0.6;   // [rad]
  double clearance = 0.75;  // [m] around a root in which nothing of the body reaches further
  double radius = 0.3;      // [m] of a body whose arms hang, shins included
  SoleShape foot{0.26, 0.1};
};

// A square of the ground at one height.
struct Square {
  float floor = 0;     // [m], where it is level
  bool level = false;  // floor throughout
  bool open = false;   // nothing at rest near enough to any body whose root is over it
};

class Terrain {
 public:
  Terrain(std::shared_ptr<const World> world, const TerrainSettings& settings);

  const World& world() const { return *world_; }
  const TerrainSettings& settings() const { return settings_; }
  // Forgets squares when what is at rest has changed; asked within the world's `during`, before a
  // Ground is. Any number of threads may, at once.
  void refresh();
  size_t squares() const;

 private:
  friend class Ground;
  Square find(int64_t key, Snapshot& snapshot);

  static constexpr int kShards = 16;
  struct Shard {
    mutable std::shared_mutex mutex;
    std::unordered_map<int64_t, Square> squares;
  };
  std::shared_ptr<const World> world_;
  TerrainSettings settings_;
  std::mutex refreshing_;
  uint64_t rests_ = 0;  // of the world that squares are of
  std::array<Shard, kShards> shards_;
};

// A body that nobody knows the future of: it gets more room the later it is (5.5.3).
struct Doubt {
  int32_t body;
  float growth;  // [m/s]
  float most;    // [m]
  double now;    // [s]
};

// One thread's view of a terrain.
class Ground : public Carriers {
 public:
  Ground(Terrain& terrain, const BroadPhase::Span& span, std::span<const Doubt> doubts)
      : terrain_(terrain),
        snapshot_(terrain.world(), span),
        doubts_(doubts),
        movers_(terrain.world().moves()) {}

  // Whether something at rest is within `radius` [m] of a place, or there is no ground.
  bool walled(double x, double y, double z, double radius);
  // Where a body is.
  Pose pose(int32_t body, double t) const override {
    return snapshot_.body(body).trajectory->pose(t);
  }
  // Whether anything in the world moves.
  bool movers() const { return movers_; }

  // Whether a body that does an action touches nothing and lands on ground; gives where it ends.
  // On `rough` ground feet go over and onto what is low enough, and come down a little before or
  // behind where they would where that holds them better; elsewhere they keep clear of it.
  bool free(const StepTable& table, const State& from, int32_t action, float room, bool rough,
            State& to, Treads& treads);
  // Whether both feet of a body that stands are held; puts them on the ground.
  bool stands(const Action& stand, State& at);
  // Whether what moves (one of `bodies`, any where there are none) strikes a body that goes evenly
  // from one figure to another.
  bool struck(const StepTable& table, const Point* a, const Point* b, double t0, double t1,
              double floor, float girth, float room, std::span<const int32_t> bodies = {});
  // Whether a body that is carried is carried into something, its shins included.
  bool bumps(const StepTable& table, const Point* body, int32_t carrier, double floor, double t,
             float room);

 private:
  const Square& square(double x, double y, double z);
  bool touches_rest(const StepTable& table, const Point* a, const Point* b, double floor,
                    float room);
  // Whether something that moves is near a foot.
  bool passed_by(double x, double y, double z, double t);
  // Whether a foot can go over from what carries a body to something else that moves, or rests.
  bool boards(const State& from, int into, const Vec3& at, double t);
  // How well an action's soles are held where it ends: 0 to 1, below 0 where they are not. Where it
  // ends is in the frame that it begins in; what feet are on then says what it goes over to.
  double held(const Action& action, const State& from, bool rough, State& to, Treads& treads,
              bool& level);
  bool lands(const Action& action, const State& from, bool rough, State& to, Treads& treads,
             bool& level);
  bool firm(const State& at);
  // A state in the frame of what its feet have come down to.
  State settled(const Action& action, const State& from, const State& to, Treads& treads) const;
  bool carried(const Action& action, const State& from, const State& to);
  // [m] by how much feet must be raised over what lies on their way.
  double obstructed(const StepTable& table, const Action& action, const State& from,
                    const State& to);
  float doubt(int id, double t) const;

  Terrain& terrain_;
  Snapshot snapshot_;
  std::span<const Doubt> doubts_;
  bool movers_;
  struct Kept {
    int64_t key = INT64_MIN;
    Square square;
  };
  std::array<Kept, 512> kept_;
};

}  // namespace surefoot::footsteps
