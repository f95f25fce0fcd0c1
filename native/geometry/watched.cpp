#include "geometry/watched.hpp"

#include "geometry/checks.hpp"

namespace surefoot {
namespace {

// What is nearer than this to where it was known to be, and has no speed, rests.
constexpr double kStillShift = 2e-4, kStillTurn = 5e-4, kStillSpeed = 5e-3, kStillRate = 1e-2;

Pose between(const Sighting& a, const Sighting& b, double t) {
  const double share = (t - a.time) / (b.time - a.time);
  const Vec3 turn = rotation_vector(b.pose.rotation * conjugate(a.pose.rotation));
  return {a.pose.position + (b.pose.position - a.pose.position) * share,
          from_rotation_vector(turn * share) * a.pose.rotation};
}

Travel travel_of(Vec3 shift, Vec3 turn) {
  return {abs(shift), length(turn), std::hypot(turn.x, turn.y)};
}

bool finite(const Pose& p) {
  return is_within(p.position, kMaxCoordinate) && std::isfinite(dot(p.rotation, p.rotation));
}

}  // namespace

bool WatchedTrajectory::drifts() const {
  return !(twist_.linear == Vec3{} && twist_.angular == Vec3{});
}

Pose WatchedTrajectory::pose(double t) const {
  const Sighting& last = seen_.back();
  if (t >= last.time) {
    if (!drifts()) return last.pose;
    const double dt = std::min(t - last.time, ahead_);
    return {last.pose.position + twist_.linear * dt,
            from_rotation_vector(twist_.angular * dt) * last.pose.rotation};
  }
  if (t <= seen_.front().time) return seen_.front().pose;
  const auto after = std::upper_bound(seen_.begin(), seen_.end(), t,
                                      [](double at, const Sighting& s) { return at < s.time; });
  const Sighting& before = *(after - 1);
  return after->jumped ? before.pose : between(before, *after, t);
}

Twist WatchedTrajectory::velocity(double t) const {
  if (t >= now()) return t < horizon() ? twist_ : Twist{};
  if (t < seen_.front().time) return {};
  const auto after = std::upper_bound(seen_.begin(), seen_.end(), t,
                                      [](double at, const Sighting& s) { return at < s.time; });
  const Sighting& before = *(after - 1);
  if (after->jumped) return {};
  const double rate = 1.0 / (after->time - before.time);
  return {(after->pose.position - before.pose.position) * rate,
          rotation_vector(after->pose.rotation * conjugate(before.pose.rotation)) * rate};
}

Travel WatchedTrajectory::travel(double from, double to) const {
  Travel total;
  for (size_t i = 0; i + 1 < seen_.size(); ++i) {
    const Sighting &a = seen_[i], &b = seen_[i + 1];
    const double inside = std::min(to, b.time) - std::max(from, a.time);
    if (inside <= 0 || b.jumped) continue;
    const double share = inside / (b.time - a.time);
    total =
        total + travel_of((b.pose.position - a.pose.position) * share,
                          rotation_vector(b.pose.rotation * conjugate(a.pose.rotation)) * share);
  }
  const double ahead = std::min(to, horizon()) - std::max(from, now());
  if (ahead > 0 && drifts())
    total = total + travel_of(twist_.linear * ahead, twist_.angular * ahead);
  return total;
}

void WatchedTrajectory::jumps(double from, double to, std::vector<double>& out) const {
  for (const Sighting& s : seen_)
    if (s.jumped && s.time > from && s.time < to) out.push_back(s.time);
}

Feed::Feed(std::shared_ptr<World> world, const Watching& watching)
    : world_(std::move(world)), watching_(watching) {
  require(world_ != nullptr, "a feed needs a world");
  check_number(watching.ahead, "ahead", 0, kInfinity);
  require(watching.memory > 0, "memory is ", watching.memory, " s; it must be above 0");
  require(watching.fastest > 0, "fastest is ", watching.fastest, " m/s; it must be above 0");
}

void Feed::forget(int row) {
  check_index(row, rows_.size(), "row");
  rows_[row].body = -1;
}

TrajectoryPtr Feed::trajectory(int row) const {
  check_index(row, rows_.size(), "row");
  return rows_[row].now;
}

TrajectoryPtr Feed::first(double t, const Pose& pose) const {
  check_time(t, "t");
  check_pose(pose);
  return std::make_shared<WatchedTrajectory>(std::vector<Sighting>{{t, pose}}, Twist{},
                                             watching_.ahead);
}

int Feed::watch(int body, double t, const Pose& pose) {
  require(body >= 0, "body is ", body, "; ids are 0 or above");
  check_time(t, "t");
  check_pose(pose);
  rows_.push_back({body, t, pose,
                   std::make_shared<WatchedTrajectory>(std::vector<Sighting>{{t, pose}}, Twist{},
                                                       watching_.ahead)});
  return static_cast<int>(rows_.size()) - 1;
}

Seen Feed::take(Row& row, double t, const Pose& given) const {
  if (!finite(given) || length(given.rotation) < 1e-6) return Seen::kNotFinite;
  if (!(t > row.time)) return Seen::kLate;
  const Pose pose{given.position, given.rotation * (1.0 / length(given.rotation))};
  const double dt = t - row.time;
  const Vec3 shift = pose.position - row.pose.position;
  const Vec3 turn = rotation_vector(pose.rotation * conjugate(row.pose.rotation));
  const bool jumped = length(shift) > watching_.fastest * dt;

  Twist twist;
  if (!jumped) {
    // Averaged over the memory; the first motion after a rest counts as it is.
    const Twist before = row.now->twist();
    const bool rested = before.linear == Vec3{} && before.angular == Vec3{};
    const double fresh = rested ? 1.0 : 1.0 - std::exp(-dt / watching_.memory);
    twist.linear = before.linear + (shift * (1 / dt) - before.linear) * fresh;
    twist.angular = before.angular + (turn * (1 / dt) - before.angular) * fresh;
    if (length(twist.linear) < kStillSpeed && length(twist.angular) < kStillRate) twist = {};
    const Pose known = row.now->seen().back().pose;
    const Vec3 off = rotation_vector(pose.rotation * conjugate(known.rotation));
    if (rested && twist.linear == Vec3{} && twist.angular == Vec3{} &&
        length(pose.position - known.position) < kStillShift && length(off) < kStillTurn) {
      row.time = t;
      row.pose = pose;
      return Seen::kStill;
    }
  }
  std::vector<Sighting> seen;
  const std::vector<Sighting>& old = row.now->seen();
  const bool rested_until = old.back().time < row.time;
  const size_t more = rested_until ? 2 : 1;
  const size_t drop = old.size() + more > WatchedTrajectory::kKept
                          ? old.size() + more - WatchedTrajectory::kKept
                          : 0;
  seen.reserve(old.size() - drop + more);
  seen.assign(old.begin() + static_cast<std::ptrdiff_t>(drop), old.end());
  if (rested_until) seen.push_back({row.time, old.back().pose});
  seen.push_back({t, pose, jumped});
  row.now = std::make_shared<WatchedTrajectory>(std::move(seen), twist, watching_.ahead);
  row.time = t;
  row.pose = pose;
  return jumped ? Seen::kJumped : Seen::kTaken;
}

void Feed::push(double t, std::span<const int> rows, std::span<const Pose> poses,
                std::span<Seen> out) {
  check_time(t, "t");
  check_count(poses.size(), "poses", rows.size(), "rows");
  check_count(out.size(), "out", rows.size(), "rows");
  check_indices(rows, rows_.size(), "rows");
  std::vector<int> moved;
  std::vector<TrajectoryPtr> ways;
  for (size_t i = 0; i < rows.size(); ++i) {
    Row& row = rows_[rows[i]];
    if (row.body < 0) {
      out[i] = Seen::kLate;
      continue;
    }
    out[i] = take(row, t, poses[i]);
    if (out[i] == Seen::kTaken || out[i] == Seen::kJumped) {
      moved.push_back(row.body);
      ways.push_back(row.now);
    }
  }
  world_->move_all(moved, ways);
}

}  // namespace surefoot
