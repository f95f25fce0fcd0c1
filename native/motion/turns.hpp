// Rotations as retargeting and playing need them: vectors turned, frames of axes, means of many.
#pragma once

#include <algorithm>
#include <span>

#include "geometry/vec.hpp"

namespace surefoot {

inline Vec3 rotated(Quat q, Vec3 p) {
  const Vec3 axis{q.x, q.y, q.z};
  const Vec3 twice = cross(axis, p) * 2.0;
  return p + twice * q.w + cross(axis, twice);
}

inline Vec3 unit_of(Vec3 v) { return v * (1.0 / std::max(length(v), 1e-12)); }

// What is left of a vector without its part along a unit vector.
inline Vec3 across_of(Vec3 v, Vec3 unit) { return v - unit * dot(v, unit); }

// The turn of right-handed axes against the world's.
inline Quat turn_of_axes(Vec3 ahead, Vec3 left, Vec3 up) {
  const double trace = ahead.x + left.y + up.z;
  Quat q;
  if (trace > 0)
    q = {1 + trace, left.z - up.y, up.x - ahead.z, ahead.y - left.x};
  else if (ahead.x > left.y && ahead.x > up.z)
    q = {left.z - up.y, 1 + ahead.x - left.y - up.z, ahead.y + left.x, ahead.z + up.x};
  else if (left.y > up.z)
    q = {up.x - ahead.z, ahead.y + left.x, 1 - ahead.x + left.y - up.z, left.z + up.y};
  else
    q = {ahead.y - left.x, ahead.z + up.x, left.z + up.y, 1 - ahead.x - left.y + up.z};
  return q * (1.0 / length(q));
}

inline Quat turn_facing(Vec3 left, Vec3 up) { return turn_of_axes(cross(left, up), left, up); }

// The shortest turn from one direction to another.
inline Quat turn_between(Vec3 from, Vec3 to) {
  const Vec3 a = unit_of(from), b = unit_of(to);
  const double w = 1 + dot(a, b);
  const Vec3 spare = std::abs(a.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  // Opposite directions: any axis across will do.
  const Vec3 axis = w < 1e-9 ? cross(a, spare) : cross(a, b);
  const Quat q{w < 1e-9 ? 0.0 : w, axis.x, axis.y, axis.z};
  return q * (1.0 / length(q));
}

// The rotation nearest to all of some: the eigenvector of the sum of their outer products with the
// largest eigenvalue, by repeated multiplication, which gathers fast where they lie together.
inline Quat mean_turn(std::span<const Quat> turns) {
  double sum[4][4] = {};
  for (const Quat& q : turns) {
    const double v[4] = {q.w, q.x, q.y, q.z};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) sum[i][j] += v[i] * v[j];
  }
  Quat mean = turns.empty() ? Quat{} : turns[turns.size() / 2];
  for (int round = 0; round < 100; ++round) {
    const double v[4] = {mean.w, mean.x, mean.y, mean.z};
    double next[4] = {};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) next[i] += sum[i][j] * v[j];
    const Quat q{next[0], next[1], next[2], next[3]};
    if (length(q) == 0) break;
    mean = q * (1.0 / length(q));
  }
  return mean;
}

}  // namespace surefoot
