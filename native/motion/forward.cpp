#include "motion/forward.hpp"

#include <vector>

namespace surefoot {
namespace {

inline Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }
inline Quat quat(const double* p) { return {p[0], p[1], p[2], p[3]}; }
inline void put(double* p, Vec3 v) { p[0] = v.x, p[1] = v.y, p[2] = v.z; }
inline void put(double* p, Quat q) { p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z; }

inline Vec3 rotate(Quat q, Vec3 p) {
  const Vec3 axis{q.x, q.y, q.z};
  const Vec3 twice = cross(axis, p) * 2.0;
  return p + twice * q.w + cross(axis, twice);
}

}  // namespace

void forward_kinematics(std::span<const int32_t> parents, const double* offsets, const double* root,
                        const double* local, size_t first, size_t last,
                        std::span<const MovedJoint> moved, double* positions, double* world) {
  const size_t joints = parents.size();
  std::vector<const double*> places(joints, nullptr);
  for (const MovedJoint& joint : moved) places[joint.joint] = joint.places;
  for (size_t pose = first; pose < last; ++pose) {
    const double* const turned = local + 4 * joints * pose;
    double* const at = positions + 3 * joints * pose;
    double* const around = world + 4 * joints * pose;
    put(at, vec(root + 3 * pose));
    put(around, quat(turned));
    for (size_t joint = 1; joint < joints; ++joint) {
      const size_t parent = parents[joint];
      const Quat above = quat(around + 4 * parent);
      const double* const place = places[joint];
      const Vec3 offset = vec(place == nullptr ? offsets + 3 * joint : place + 3 * pose);
      put(at + 3 * joint, vec(at + 3 * parent) + rotate(above, offset));
      put(around + 4 * joint, above * quat(turned + 4 * joint));
    }
  }
}

}  // namespace surefoot
