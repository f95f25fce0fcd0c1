// Live bodies: where they were seen, and how they seem to move on.
//
// A feed takes a frame of poses of many bodies at once, refuses what cannot be true, and gives
// each body a trajectory: its past as seen, its future a steady motion to a horizon. Trajectories
// are never changed, only replaced, so whoever reads one reads one moment.
#pragma once

#include <span>

#include "geometry/world.hpp"

namespace surefoot {

struct Sighting {
  double time;
  Pose pose;
  bool jumped = false;  // it was not on the way from the sighting before
};

class WatchedTrajectory final : public Trajectory {
 public:
  // Sightings that are kept of the past.
  static constexpr size_t kKept = 16;

  WatchedTrajectory(std::vector<Sighting> seen, const Twist& twist, double ahead)
      : seen_(std::move(seen)), twist_(twist), ahead_(ahead) {}
  Pose pose(double t) const override;
  Twist velocity(double t) const override;
  Travel travel(double from, double to) const override;
  void jumps(double from, double to, std::vector<double>& out) const override;
  bool moving() const override { return true; }

  const std::vector<Sighting>& seen() const { return seen_; }
  const Twist& twist() const { return twist_; }
  double now() const { return seen_.back().time; }

 private:
  double horizon() const { return now() + ahead_; }
  bool drifts() const;

  std::vector<Sighting> seen_;  // increasing in time, at least one
  Twist twist_;
  double ahead_;
};

// How bodies are watched.
struct Watching {
  double ahead;    // [s] how far a motion is taken to go on
  double memory;   // [s] over which velocities are averaged
  double fastest;  // [m/s] what seems faster was put elsewhere
};

// What became of one pose of a frame.
enum class Seen : uint8_t { kTaken, kStill, kNotFinite, kLate, kJumped };

class Feed {
 public:
  Feed(std::shared_ptr<World> world, const Watching& watching);

  // A trajectory for a body that is about to be added, seen at a pose; then its row.
  TrajectoryPtr first(double t, const Pose& pose) const;
  // The body need not be in the world yet.
  int watch(int body, double t, const Pose& pose);
  void forget(int row);
  // Poses of some rows at time t. Rotations need not be of unit length.
  void push(double t, std::span<const int> rows, std::span<const Pose> poses, std::span<Seen> out);
  TrajectoryPtr trajectory(int row) const;

 private:
  struct Row {
    int body = -1;
    double time = 0;  // of the last pose, which may not have been worth a new trajectory
    Pose pose;
    std::shared_ptr<WatchedTrajectory> now;
  };
  Seen take(Row& row, double t, const Pose& pose) const;

  std::shared_ptr<World> world_;
  Watching watching_;
  std::vector<Row> rows_;
};

}  // namespace surefoot
