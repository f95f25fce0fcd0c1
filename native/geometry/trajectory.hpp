// Where a body is at a time, and how far it can have moved between two times.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "geometry/vec.hpp"
#include "math/checks.hpp"

namespace surefoot {

// A motion that cannot be, or a broken promise of the caller's; becomes
// surefoot.errors.TrajectoryError in Python.
struct TrajectoryError : InputError {
  using InputError::InputError;
};

struct Twist {
  Vec3 linear, angular;  // of the frame's origin, in world axes
};

// An upper bound on motion over a span of time, safe to compare against clearances.
struct Travel {
  Vec3 shift;       // of the origin, per axis [m]
  double turn = 0;  // [rad]
  double tilt = 0;  // the part of the turn about horizontal axes [rad]

  friend Travel max(const Travel& a, const Travel& b) {
    return {max(a.shift, b.shift), std::max(a.turn, b.turn), std::max(a.tilt, b.tilt)};
  }
  friend Travel operator+(const Travel& a, const Travel& b) {
    return {a.shift + b.shift, a.turn + b.turn, a.tilt + b.tilt};
  }
};

// At a jump the new pose holds already: poses are continuous from the right.
class Trajectory {
 public:
  virtual ~Trajectory() = default;
  virtual Pose pose(double t) const = 0;
  virtual Twist velocity(double t) const = 0;
  // Bound on the motion between two times with no jump strictly between them.
  virtual Travel travel(double from, double to) const = 0;
  // Adds the times strictly inside (from, to) at which the pose jumps.
  virtual void jumps(double from, double to, std::vector<double>& out) const = 0;
  virtual bool moving() const = 0;
  // After how long it repeats itself for ever, 0 when it does not.
  virtual double period() const { return 0; }
  // What it is rigidly fixed to; itself where that is nothing else. Bodies fixed to the same never
  // move against each other.
  virtual const Trajectory* carrier() const { return this; }
  // Told when a world takes it in, so that later errors can name the body.
  virtual void set_owner(const std::string&) {}
};

using TrajectoryPtr = std::shared_ptr<Trajectory>;

class StaticTrajectory final : public Trajectory {
 public:
  explicit StaticTrajectory(const Pose& pose);
  Pose pose(double) const override { return pose_; }
  Twist velocity(double) const override { return {}; }
  Travel travel(double, double) const override { return {}; }
  void jumps(double, double, std::vector<double>&) const override {}
  bool moving() const override { return false; }

 private:
  Pose pose_;
};

enum class Interpolation { kLinear, kStep, kCubic };
enum class Repeat { kOnce, kLoop, kPingPong };

// Keys of one quantity: positions (Vec3) or rotations (Quat).
template <class Value>
struct Channel {
  std::vector<double> times;
  std::vector<Value> values;
  std::vector<Value> in, out;  // tangents per second, cubic only
  Interpolation interpolation = Interpolation::kLinear;
};

class KeyframedTrajectory final : public Trajectory {
 public:
  KeyframedTrajectory(Channel<Vec3> positions, Channel<Quat> rotations, Repeat repeat, double start,
                      double end);
  Pose pose(double t) const override;
  Twist velocity(double t) const override;
  Travel travel(double from, double to) const override;
  void jumps(double from, double to, std::vector<double>& out) const override;
  bool moving() const override { return moving_; }
  double period() const override;

 private:
  struct Folded {
    double time;       // inside [start, end]
    double direction;  // +1, -1 on the way back, 0 before the start or after the end
    double rounds;     // whole spans passed
  };
  Folded fold(double t) const;
  Travel cumulative(double t) const;
  Travel cumulative_inside(double t) const;

  Channel<Vec3> positions_;
  Channel<Quat> rotations_;
  Repeat repeat_;
  double start_, end_;
  bool moving_ = false, jumps_at_wrap_ = false;
  // Travel summed up to each key.
  std::vector<Vec3> shift_sum_;
  std::vector<double> turn_sum_, tilt_sum_;
};

// Steady motion from a known pose: what is expected of a body that was just seen.
class DriftTrajectory final : public Trajectory {
 public:
  DriftTrajectory(double time, const Pose& pose, const Twist& twist);
  Pose pose(double t) const override;
  Twist velocity(double) const override { return twist_; }
  Travel travel(double from, double to) const override;
  void jumps(double, double, std::vector<double>&) const override {}
  bool moving() const override { return true; }

 private:
  double time_;
  Pose pose_;
  Twist twist_;
};

// A caller's function, trusted only as far as its stated bounds, which every evaluation checks.
class FunctionTrajectory final : public Trajectory {
 public:
  using Function = std::function<Pose(double)>;
  FunctionTrajectory(Function function, double start, double horizon, double max_speed,
                     double max_turn_rate);
  Pose pose(double t) const override;
  Twist velocity(double t) const override;
  Travel travel(double from, double to) const override;
  void jumps(double, double, std::vector<double>&) const override {}
  bool moving() const override { return true; }
  void set_owner(const std::string& name) override { owner_ = name; }

 private:
  void check(double t0, const Pose& a, double t1, const Pose& b) const;

  Function function_;
  double start_, horizon_, max_speed_, max_turn_rate_;
  std::string owner_;
  mutable std::mutex mutex_;
  mutable bool has_last_ = false;
  mutable double last_time_ = 0;
  mutable Pose last_pose_;
};

// A pose given in the frame of another trajectory.
class AttachedTrajectory final : public Trajectory {
 public:
  AttachedTrajectory(TrajectoryPtr parent, TrajectoryPtr child);
  Pose pose(double t) const override;
  Twist velocity(double t) const override;
  Travel travel(double from, double to) const override;
  void jumps(double from, double to, std::vector<double>& out) const override;
  bool moving() const override { return parent_->moving() || child_->moving(); }
  const Trajectory* carrier() const override {
    return child_->moving() ? this : parent_->carrier();
  }
  void set_owner(const std::string& name) override {
    parent_->set_owner(name);
    child_->set_owner(name);
  }

 private:
  TrajectoryPtr parent_, child_;
};

// One trajectory until `now`, another until `horizon`, then at rest.
class ObservedTrajectory final : public Trajectory {
 public:
  // The horizon may be infinite.
  ObservedTrajectory(TrajectoryPtr past, TrajectoryPtr future, double now, double horizon);
  void set_owner(const std::string& name) override {
    past_->set_owner(name);
    future_->set_owner(name);
  }
  Pose pose(double t) const override;
  Twist velocity(double t) const override;
  Travel travel(double from, double to) const override;
  void jumps(double from, double to, std::vector<double>& out) const override;
  bool moving() const override { return true; }

 private:
  TrajectoryPtr past_, future_;
  double now_, horizon_;
};

}  // namespace surefoot
