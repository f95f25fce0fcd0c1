// A body with plain legs, two clips for it (a stand and a walk of two steps), and where its feet
// come out in poses.
#pragma once

#include "motion/forward.hpp"
#include "motion/humanoid.hpp"
#include "motion/stepper.hpp"
#include "tests/random.hpp"

namespace surefoot::testing {

inline constexpr double kBone = 0.45, kHipWidth = 0.1, kHip = 0.95;  // [m]
inline constexpr double kFrames = 60;                                // [1/s]
inline constexpr double kStride = 0.4;                               // [m] of the walk

inline std::vector<double> bone_offsets() {
  std::vector<double> offsets(3 * humanoid::kJoints, 0.0);
  const auto put = [&](int joint, Vec3 v) {
    offsets[static_cast<size_t>(3 * joint)] = v.x;
    offsets[static_cast<size_t>(3 * joint + 1)] = v.y;
    offsets[static_cast<size_t>(3 * joint + 2)] = v.z;
  };
  for (int side = 0; side < 2; ++side) {
    const int other = side * humanoid::kOtherSide;
    put(humanoid::kThigh + other, {0, side ? -kHipWidth : kHipWidth, 0});
    put(humanoid::kShin + other, {0, 0, -kBone});
    put(humanoid::kFoot + other, {0, 0, -kBone});
    put(humanoid::kToe + other, {0.15, 0, -0.05});
  }
  return offsets;
}

inline BodyShape body_shape() {
  BodyShape shape{};
  shape.joints = humanoid::kJoints;
  for (int side = 0; side < 2; ++side) {
    const int other = side * humanoid::kOtherSide;
    shape.legs[side] = {humanoid::kThigh + other,
                        humanoid::kShin + other,
                        humanoid::kFoot + other,
                        humanoid::kToe + other,
                        {0, side ? -kHipWidth : kHipWidth, 0},
                        {0, 0, -kBone},
                        {0, 0, -kBone}};
  }
  shape.ankle_height = 0.08, shape.ball_height = 0.03;
  shape.heel_behind = 0.06, shape.ball_ahead = 0.15, shape.middle_ahead = 0.05;
  shape.deepest = 0.3;
  return shape;
}

// Where the sole's middle is under the hip of a foot.
inline Vec3 sole(int foot, double x, double z = 0) { return {x, foot ? -kHipWidth : kHipWidth, z}; }

// Pieces: 0 stands for half a second; 1 walks for two seconds, the left foot first.
inline Reel make_reel() {
  Reel reel;
  reel.shape = body_shape();
  reel.offsets = bone_offsets();
  reel.leg = 2 * kBone;
  reel.follow = 0.5;
  reel.heel = {-0.06, 0, -0.08};
  const auto add = [&](double duration, auto travelled) {
    const auto frames = static_cast<int>(duration * kFrames) + 1;
    Take take{static_cast<double>(reel.root.size() / 3),
              static_cast<double>(frames),
              kFrames,
              duration,
              {},
              {},
              {},
              {}};
    for (int i = 0; i < frames; ++i) {
      const double x = travelled(i / kFrames);
      reel.root.insert(reel.root.end(), {x, 0, kHip});
      for (int joint = 0; joint < humanoid::kJoints; ++joint)
        reel.local.insert(reel.local.end(), {1, 0, 0, 0});
      take.x.push_back(x), take.y.push_back(0), take.heading.push_back(0);
    }
    return take;
  };
  const auto fall = [](double start, double end, int foot, double x) {
    return Fall{start, end, sole(foot, x), {}, 0};
  };
  Take stand = add(1, [](double) { return 0.0; });
  for (int foot = 0; foot < 2; ++foot) stand.falls[foot] = {fall(0, kNever, foot, 0)};
  Take walk = add(2, [](double t) {
    const double u = std::clamp((t - 0.3) / 1.2, 0.0, 1.0);
    return kStride * u * u * (3 - 2 * u);
  });
  walk.falls[0] = {fall(0, 0.3, 0, 0), fall(0.8, kNever, 0, kStride)};
  walk.falls[1] = {fall(0, 1.0, 1, 0), fall(1.5, kNever, 1, kStride)};
  reel.takes = {stand, walk};
  reel.pieces = {{0, 0, 0.5, 1, true, 0.2}, {1, 0, 2, 1, false, 0.2}};
  return reel;
}

// Poses, and their joints in the world.
struct Poses {
  std::vector<double> root, local, offsets, needed, places, turns;
  std::vector<uint8_t> contacts;

  explicit Poses(size_t n)
      : root(3 * n),
        local(4 * humanoid::kJoints * n),
        offsets(2 * kOffset * n),
        needed(n),
        places(3 * humanoid::kJoints * n),
        turns(4 * humanoid::kJoints * n),
        contacts(4 * n) {}
  Played out() {
    return {root.data(), local.data(), contacts.data(), offsets.data(), needed.data()};
  }
  void place_joints() {
    forward_kinematics(humanoid::kParents, bone_offsets().data(), root.data(), local.data(), 0,
                       needed.size(), {}, places.data(), turns.data());
  }
  Vec3 joint(size_t pose, int which) const {
    const double* p = places.data() + 3 * (pose * humanoid::kJoints + static_cast<size_t>(which));
    return {p[0], p[1], p[2]};
  }
  Quat turn(size_t pose, int which) const {
    const double* q = turns.data() + 4 * (pose * humanoid::kJoints + static_cast<size_t>(which));
    return {q[0], q[1], q[2], q[3]};
  }
  Vec3 ankle(size_t pose, int foot) const {
    return joint(pose, humanoid::kFoot + humanoid::kOtherSide * foot);
  }
  Vec3 body(size_t pose) const { return {root[3 * pose], root[3 * pose + 1], root[3 * pose + 2]}; }
  bool operator==(const Poses& other) const {
    return root == other.root && local == other.local && offsets == other.offsets &&
           needed == other.needed && contacts == other.contacts;
  }
};

// The ankle of a foot that stands flat with the middle of its sole at a place.
inline Vec3 ankle_over(Vec3 middle, Quat rotation = {}) {
  const BodyShape shape = body_shape();
  return middle + matrix(rotation) * Vec3{-shape.middle_ahead, 0, shape.ankle_height};
}

}  // namespace surefoot::testing
