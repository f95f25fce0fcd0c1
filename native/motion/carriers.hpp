// Bodies that carry characters: where they are at any time.
#pragma once

#include <cmath>
#include <cstdint>

#include "motion/turns.hpp"

namespace surefoot {

class Carriers {
 public:
  virtual ~Carriers() = default;
  virtual Pose pose(int32_t body, double t) const = 0;
};

// A spot that stays level, in the frame of a body that carries it (-1: the world's own).
struct Spot {
  double x, y, z, yaw;
  int32_t body = -1;
};

// The spot in the world that one on a body has at `t` [s].
inline Spot in_world(const Carriers* carriers, const Spot& spot, double t) {
  if (spot.body < 0 || carriers == nullptr) return spot;
  const Pose pose = carriers->pose(spot.body, t);
  const Vec3 at = rotated(pose.rotation, {spot.x, spot.y, spot.z}) + pose.position;
  const Vec3 ahead = rotated(pose.rotation, {std::cos(spot.yaw), std::sin(spot.yaw), 0});
  // Not wrapped: a heading goes on from where it was.
  const double turn = std::remainder(std::atan2(ahead.y, ahead.x) - spot.yaw, 2 * M_PI);
  return {at.x, at.y, at.z, spot.yaw + turn, -1};
}

// The spot on another body that lies where this one does at `t` [s].
inline Spot rebased(const Carriers* carriers, const Spot& spot, int32_t body, double t) {
  if (spot.body == body || carriers == nullptr) return spot;
  const Spot world = in_world(carriers, spot, t);
  if (body < 0) return world;
  const Pose pose = carriers->pose(body, t);
  const Quat back = conjugate(pose.rotation);
  const Vec3 at = rotated(back, Vec3{world.x, world.y, world.z} - pose.position);
  const Vec3 ahead = rotated(back, {std::cos(world.yaw), std::sin(world.yaw), 0});
  const double turn = std::remainder(std::atan2(ahead.y, ahead.x) - world.yaw, 2 * M_PI);
  return {at.x, at.y, at.z, world.yaw + turn, body};
}

}  // namespace surefoot
