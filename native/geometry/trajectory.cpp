#include "geometry/trajectory.hpp"

#include <algorithm>
#include <sstream>

#include "geometry/checks.hpp"

namespace surefoot {

StaticTrajectory::StaticTrajectory(const Pose& pose) : pose_(pose) {
  check_pose<TrajectoryError>(pose);
}

// --- drift -------------------------------------------------------------------------------------

DriftTrajectory::DriftTrajectory(double time, const Pose& pose, const Twist& twist)
    : time_(time), pose_(pose), twist_(twist) {
  check_time<TrajectoryError>(time, "time");
  check_pose<TrajectoryError>(pose);
  for (int axis = 0; axis < 3; ++axis) {
    check_finite<TrajectoryError>(twist.linear[axis], "linear velocity");
    check_finite<TrajectoryError>(twist.angular[axis], "angular velocity");
  }
}

Pose DriftTrajectory::pose(double t) const {
  const double dt = t - time_;
  return {pose_.position + twist_.linear * dt,
          from_rotation_vector(twist_.angular * dt) * pose_.rotation};
}

Travel DriftTrajectory::travel(double from, double to) const {
  const double dt = std::max(0.0, to - from);
  return {abs(twist_.linear) * dt, length(twist_.angular) * dt,
          std::hypot(twist_.angular.x, twist_.angular.y) * dt};
}

// --- function ----------------------------------------------------------------------------------

FunctionTrajectory::FunctionTrajectory(Function function, double start, double horizon,
                                       double max_speed, double max_turn_rate)
    : function_(std::move(function)),
      start_(start),
      horizon_(horizon),
      max_speed_(max_speed),
      max_turn_rate_(max_turn_rate) {
  check_time<TrajectoryError>(start, "start");
  check_time<TrajectoryError>(horizon, "horizon");
  require<TrajectoryError>(start < horizon, "horizon is ", horizon, " s; it must be after start (",
                           start, " s)");
  check_number<TrajectoryError>(max_speed, "max_speed", 0, kInfinity);
  check_number<TrajectoryError>(max_turn_rate, "max_turn_rate", 0, kInfinity);
}

void FunctionTrajectory::check(double t0, const Pose& a, double t1, const Pose& b) const {
  const double dt = std::abs(t1 - t0);
  const double moved = length(b.position - a.position);
  const double turned = length(rotation_vector(b.rotation * conjugate(a.rotation)));
  const bool fast = moved > max_speed_ * dt * (1 + 1e-6) + 1e-9;
  const bool spins = turned < 3.14 && turned > max_turn_rate_ * dt * (1 + 1e-6) + 1e-7;
  if (!fast && !spins) return;
  std::ostringstream text;
  text << "function trajectory" << (owner_.empty() ? "" : " of body '" + owner_ + "'")
       << " breaks its bound: between t = " << std::min(t0, t1) << " s and t = " << std::max(t0, t1)
       << " s it ";
  if (fast)
    text << "moves " << moved << " m (" << moved / dt << " m/s), max_speed is " << max_speed_
         << " m/s";
  else
    text << "turns " << turned << " rad (" << turned / dt << " rad/s), max_turn_rate is "
         << max_turn_rate_ << " rad/s";
  throw TrajectoryError(text.str());
}

Pose FunctionTrajectory::pose(double t) const {
  t = std::clamp(t, start_, horizon_);
  const Pose pose = function_(t);
  check_pose<TrajectoryError>(pose);
  std::lock_guard lock(mutex_);
  if (has_last_) check(last_time_, last_pose_, t, pose);
  has_last_ = true;
  last_time_ = t;
  last_pose_ = pose;
  return pose;
}

Twist FunctionTrajectory::velocity(double t) const {
  if (t < start_ || t > horizon_) return {};
  const double h = std::min(1e-4, (horizon_ - start_) / 4);
  const double before = std::max(start_, t - h), after = std::min(horizon_, t + h);
  const Pose a = pose(before), b = pose(after);
  const double scale = 1.0 / (after - before);
  return {(b.position - a.position) * scale,
          rotation_vector(b.rotation * conjugate(a.rotation)) * scale};
}

Travel FunctionTrajectory::travel(double from, double to) const {
  const double dt = std::clamp(to, start_, horizon_) - std::clamp(from, start_, horizon_);
  const double shift = max_speed_ * dt, turn = max_turn_rate_ * dt;
  return {{shift, shift, shift}, turn, turn};
}

// --- attached ----------------------------------------------------------------------------------

AttachedTrajectory::AttachedTrajectory(TrajectoryPtr parent, TrajectoryPtr child)
    : parent_(std::move(parent)), child_(std::move(child)) {
  require<TrajectoryError>(parent_ && child_, "an attached trajectory needs a parent and a child");
}

Pose AttachedTrajectory::pose(double t) const {
  const Pose outer = parent_->pose(t), inner = child_->pose(t);
  return {matrix(outer.rotation) * inner.position + outer.position,
          outer.rotation * inner.rotation};
}

Twist AttachedTrajectory::velocity(double t) const {
  const Mat3 turn = matrix(parent_->pose(t).rotation);
  const Twist outer = parent_->velocity(t), inner = child_->velocity(t);
  const Vec3 arm = turn * child_->pose(t).position;
  return {outer.linear + cross(outer.angular, arm) + turn * inner.linear,
          outer.angular + turn * inner.angular};
}

Travel AttachedTrajectory::travel(double from, double to) const {
  const Travel outer = parent_->travel(from, to), inner = child_->travel(from, to);
  const Vec3 at = child_->pose(from).position;
  const double arm = length(at) + length(inner.shift);
  const bool fixed_axes = outer.turn == 0;
  Travel total = outer;
  if (fixed_axes) {
    total.shift = total.shift + matrix(parent_->pose(from).rotation).spread(inner.shift);
  } else {
    const double inner_shift = length(inner.shift);
    total.shift = total.shift + Vec3{inner_shift, inner_shift, inner_shift} +
                  Vec3{outer.turn * arm, outer.turn * arm, outer.tilt * arm};
  }
  total.turn += inner.turn;
  // The child's turn is about axes of a parent that may lean.
  const bool parent_upright = outer.tilt == 0 && [&] {
    const Quat q = parent_->pose(from).rotation;
    return q.x == 0 && q.y == 0;
  }();
  total.tilt += parent_upright ? inner.tilt : inner.turn;
  return total;
}

void AttachedTrajectory::jumps(double from, double to, std::vector<double>& out) const {
  parent_->jumps(from, to, out);
  child_->jumps(from, to, out);
}

// --- observed ----------------------------------------------------------------------------------

ObservedTrajectory::ObservedTrajectory(TrajectoryPtr past, TrajectoryPtr future, double now,
                                       double horizon)
    : past_(std::move(past)), future_(std::move(future)), now_(now), horizon_(horizon) {
  require<TrajectoryError>(past_ && future_, "an observed trajectory needs a past and a future");
  check_time<TrajectoryError>(now, "now");
  check_number<TrajectoryError>(horizon, "horizon", now, kInfinity);
}

Pose ObservedTrajectory::pose(double t) const {
  return t < now_ ? past_->pose(t) : future_->pose(std::min(t, horizon_));
}

Twist ObservedTrajectory::velocity(double t) const {
  if (t < now_) return past_->velocity(t);
  return t < horizon_ ? future_->velocity(t) : Twist{};
}

Travel ObservedTrajectory::travel(double from, double to) const {
  Travel total;
  if (from < now_) total = past_->travel(from, std::min(to, now_));
  const double begin = std::max(from, now_), end = std::min(to, horizon_);
  if (end > begin) total = total + future_->travel(begin, end);
  return total;
}

void ObservedTrajectory::jumps(double from, double to, std::vector<double>& out) const {
  if (from < now_) past_->jumps(from, std::min(to, now_), out);
  if (to > now_ && from < horizon_)
    future_->jumps(std::max(from, now_), std::min(to, horizon_), out);
  // The guess need not start where the past ended, nor rest smoothly: take both as jumps.
  for (const double t : {now_, horizon_})
    if (t > from && t < to) out.push_back(t);
}

}  // namespace surefoot
