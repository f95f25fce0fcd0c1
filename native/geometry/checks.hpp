// Checks of vectors, rotations and poses that a caller gives.
#pragma once

#include "geometry/vec.hpp"
#include "math/checks.hpp"

namespace surefoot {

inline bool is_within(Vec3 v, double most) {
  return std::abs(v.x) <= most && std::abs(v.y) <= most && std::abs(v.z) <= most;
}

template <class Error = InputError>
void check_position(Vec3 v, const char* name) {
  if (is_within(v, kMaxCoordinate)) return;
  refuse<Error>(name, " is (", v.x, ", ", v.y, ", ", v.z,
                "); coordinates must be finite and at most ", kMaxCoordinate, " m from zero");
}

template <class Error = InputError>
void check_positions(std::span<const Vec3> values, const char* name) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!is_within(values[i], kMaxCoordinate))
      check_position<Error>(values[i], entry(name, i).c_str());
}

// Of any use as a direction: finite and not zero.
template <class Error = InputError>
void check_directions(std::span<const Vec3> values, const char* name) {
  for (size_t i = 0; i < values.size(); ++i) {
    const Vec3 v = values[i];
    if (is_within(v, kMaxCoordinate) && !(v == Vec3{})) continue;
    refuse<Error>(entry(name, i), " is (", v.x, ", ", v.y, ", ", v.z,
                  "); a direction must be finite and not zero");
  }
}

// A unit quaternion, to within rounding.
inline bool is_rotation(Quat q) { return std::abs(dot(q, q) - 1) <= 1e-6; }

template <class Error = InputError>
void check_rotation(Quat q, const char* name) {
  if (is_rotation(q)) return;
  refuse<Error>(name, " is (", q.w, ", ", q.x, ", ", q.y, ", ", q.z,
                "); a rotation must be a quaternion of length 1");
}

template <class Error = InputError>
void check_rotations(std::span<const Quat> values, const char* name) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!is_rotation(values[i])) check_rotation<Error>(values[i], entry(name, i).c_str());
}

template <class Error = InputError>
void check_pose(const Pose& pose) {
  check_position<Error>(pose.position, "position");
  check_rotation<Error>(pose.rotation, "rotation");
}

}  // namespace surefoot
