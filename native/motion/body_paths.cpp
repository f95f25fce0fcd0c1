#include "motion/body_paths.hpp"

#include <numbers>
#include <vector>

namespace surefoot {
namespace {

inline Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }
inline void put(double* p, Vec3 v) { p[0] = v.x, p[1] = v.y, p[2] = v.z; }

inline Vec3 rotate(Quat q, Vec3 p) {
  const Vec3 axis{q.x, q.y, q.z};
  const Vec3 twice = cross(axis, p) * 2.0;
  return p + twice * q.w + cross(axis, twice);
}

// Where a body faces, from where its left side points: leaning forward does not change it.
inline double facing(Quat turned) {
  const Vec3 left = rotate(turned, {0, 1, 0});
  return std::atan2(-left.x, left.y);
}

inline double wrapped(double angle) { return std::atan2(std::sin(angle), std::cos(angle)); }

// Joints that something is asked about, and those above them.
std::vector<int32_t> needed(const BodyJoints& joints) {
  std::vector<bool> wanted(joints.parents.size());
  const auto want = [&](int32_t joint) {
    for (; joint > 0 && !wanted[joint]; joint = joints.parents[joint]) wanted[joint] = true;
  };
  want(joints.chest), want(joints.head);
  for (size_t side = 0; side < 2; ++side)
    want(joints.hands[side]), want(joints.feet[side]), want(joints.toes[side]);
  std::vector<int32_t> out;
  for (size_t joint = 1; joint < wanted.size(); ++joint)
    if (wanted[joint]) out.push_back(static_cast<int32_t>(joint));
  return out;
}

}  // namespace

void body_paths(const BodyJoints& joints, const double* root, const double* local, size_t n,
                double rate, const BodyPaths& out) {
  const size_t count = joints.parents.size();
  const std::vector<int32_t> order = needed(joints);
  std::vector<Vec3> at(count);
  std::vector<Quat> turned(count);
  for (size_t i = 0; i < n; ++i) {
    const double* const turns = local + 4 * count * i;
    const auto turn = [&](size_t joint) {
      return Quat{turns[4 * joint], turns[4 * joint + 1], turns[4 * joint + 2],
                  turns[4 * joint + 3]};
    };
    at[0] = vec(root + 3 * i);
    turned[0] = turn(0);
    for (const int32_t joint : order) {
      const int32_t parent = joints.parents[joint];
      at[joint] = at[parent] + rotate(turned[parent], vec(joints.offsets + 3 * joint));
      turned[joint] = turned[parent] * turn(joint);
    }

    double* const points = out.points + 18 * i;
    put(points, at[0]);
    put(points + 3, at[joints.head]);
    double lowest = kInfinity;
    for (size_t side = 0; side < 2; ++side) {
      const int32_t foot = joints.feet[side], toe = joints.toes[side];
      const Vec3 heel = at[foot] + rotate(turned[foot], joints.heel);
      const Vec3 tip = at[toe] + rotate(turned[toe], joints.tips[side]);
      double* const parts = out.feet + 18 * i + 9 * side;
      put(parts, heel), put(parts + 3, at[toe]), put(parts + 6, tip);
      put(points + 6 + 3 * side, at[joints.hands[side]]);
      put(points + 12 + 3 * side, (heel + at[toe]) * 0.5);
      lowest = std::min({lowest, heel.z, tip.z});
    }
    out.crouch[i] = (at[0].z - lowest) / joints.leg;
    const double hips = facing(turned[0]);
    const double heading = hips + wrapped(facing(turned[joints.chest]) - hips) / 2;
    // The shorter way round from the moment before.
    out.headings[i] =
        i == 0 ? heading : out.headings[i - 1] + wrapped(heading - out.headings[i - 1]);
  }
  for (size_t i = 0; i < n; ++i) {
    const size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, n - 1);
    const Vec3 moved = vec(root + 3 * after) - vec(root + 3 * before);
    out.speed[i] = after == before ? 0 : length(moved) * rate / static_cast<double>(after - before);
  }
}

}  // namespace surefoot
