#include "geometry/world.hpp"

#include "geometry/checks.hpp"

namespace surefoot {

int World::add(std::string name, std::shared_ptr<const Mesh> mesh, TrajectoryPtr trajectory,
               bool solid) {
  require(mesh != nullptr, "a body needs a mesh");
  require(trajectory != nullptr, "a body needs a trajectory");
  std::unique_lock writing(mutex_);
  trajectory->set_owner(name);
  Body body;
  body.name = std::move(name);
  body.mesh = std::move(mesh);
  body.trajectory = std::move(trajectory);
  body.solid = solid && body.mesh->has_solid_part();
  body.moving = body.trajectory->moving();
  if (!body.moving) body.rest = Frame(body.trajectory->pose(0));
  const int id = static_cast<int>(bodies_.size());
  if (!body.moving) ++rests_;
  bodies_.push_back(std::move(body));
  broad_.added(bodies_, id);
  return id;
}

void World::check_body(int id, const char* name) const {
  if (id >= 0 && static_cast<size_t>(id) < bodies_.size() && bodies_[id].alive) return;
  refuse(name, " is ", id, "; no body has this id");
}

void World::remove(int id) {
  std::unique_lock writing(mutex_);
  check_body(id, "id");
  if (!bodies_[id].moving) ++rests_;
  bodies_[id].alive = false;
  broad_.removed(bodies_, id);
  bodies_[id].mesh.reset();
  bodies_[id].trajectory.reset();
}

void World::move(int id, TrajectoryPtr trajectory) {
  std::unique_lock writing(mutex_);
  put(id, std::move(trajectory));
}

void World::move_all(std::span<const int> ids, std::span<const TrajectoryPtr> trajectories) {
  std::unique_lock writing(mutex_);
  check_count(trajectories.size(), "trajectories", ids.size(), "ids");
  for (size_t i = 0; i < ids.size(); ++i) put(ids[i], trajectories[i]);
}

void World::put(int id, TrajectoryPtr trajectory) {
  check_body(id, "id");
  require(trajectory != nullptr, "a body needs a trajectory");
  trajectory->set_owner(bodies_[id].name);
  broad_.removed(bodies_, id);
  Body& body = bodies_[id];
  const bool rested = !body.moving;
  body.trajectory = std::move(trajectory);
  body.moving = body.trajectory->moving();
  if (rested || !body.moving) ++rests_;
  if (!body.moving) body.rest = Frame(body.trajectory->pose(0));
  broad_.added(bodies_, id);
}

TrajectoryPtr World::trajectory(int body) const {
  std::shared_lock reading(mutex_);
  check_index(body, bodies_.size(), "body");
  return bodies_[static_cast<size_t>(body)].trajectory;
}

void World::poses(std::span<const int> bodies, std::span<const double> times,
                  std::span<Pose> out) const {
  check_count(times.size(), "times", bodies.size(), "bodies");
  check_times(times, "times");
  std::shared_lock reading(mutex_);
  for (const int body : bodies) check_body(body, "body");
  for (size_t i = 0; i < bodies.size(); ++i) out[i] = bodies_[bodies[i]].trajectory->pose(times[i]);
}

void World::velocities(std::span<const int> bodies, std::span<const Vec3> points,
                       std::span<const double> times, std::span<Vec3> out) const {
  check_count(points.size(), "points", bodies.size(), "bodies");
  check_count(times.size(), "times", bodies.size(), "bodies");
  check_positions(points, "points");
  check_times(times, "times");
  std::shared_lock reading(mutex_);
  for (const int body : bodies) check_body(body, "body");
  for (size_t i = 0; i < bodies.size(); ++i) {
    const Trajectory& trajectory = *bodies_[bodies[i]].trajectory;
    const Twist twist = trajectory.velocity(times[i]);
    out[i] = twist.linear + cross(twist.angular, points[i] - trajectory.pose(times[i]).position);
  }
}

}  // namespace surefoot
