// Whose motion a clip is: how the axes of the canonical joints lie in an actor's bones, and how
// long those are.
//
// Skeletons differ in how their bones' own axes lie and in the pose that is zero. What a bone does
// tells more than how it rests: a thigh points to its knee, and a knee bends about one axis, seen
// from the thigh; a foot that stands still stands flat. Only for the trunk is the rest pose asked,
// or, where nobody stands in it, the mean over the clip.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "motion/humanoid.hpp"
#include "motion/turns.hpp"

namespace surefoot {

// A point fixed to a joint, in the joint's frame.
struct ActorTip {
  int32_t joint;
  Vec3 offset;
};

// A clip's joints in the world, and at rest. Bones are indices of joints by canonical joint, below
// 0 for those that are not known; pelvis and legs are.
struct ActorMotion {
  size_t frames, joints;
  const double* positions;  // frames x joints x 3
  const double* rotations;  // frames x joints x 4
  const double* rest_positions;
  const double* rest_rotations;
  std::array<int32_t, humanoid::kJoints> bones;
  std::vector<ActorTip> tips;

  bool has(int bone) const { return bones[bone] >= 0; }
  Vec3 place(size_t frame, int bone) const {
    const double* p = positions + 3 * (frame * joints + bones[bone]);
    return {p[0], p[1], p[2]};
  }
  Quat turn(size_t frame, int bone) const {
    const double* q = rotations + 4 * (frame * joints + bones[bone]);
    return {q[0], q[1], q[2], q[3]};
  }
  Vec3 rest_place(int bone) const {
    const double* p = rest_positions + 3 * bones[bone];
    return {p[0], p[1], p[2]};
  }
  Quat rest_turn(int bone) const {
    const double* q = rest_rotations + 4 * bones[bone];
    return {q[0], q[1], q[2], q[3]};
  }
  std::optional<Vec3> tip(int bone) const;
};

// What is found out about an actor; lengths [m] are NaN where the bones are not known.
struct ActorFigures {
  bool exchanged = false;  // left and right are the wrong way round; all else is for them put right
  bool stands = false;     // the rest pose is one of somebody who stands
  bool on_all_fours = false;
  std::array<Quat, humanoid::kJoints> axes;  // from canonical axes to the bone's own
  double thigh, shin, hip_width, shoulder_width, upper_arm, forearm;
  double neck_rise, head_rise, shoulder_rise;  // above the hips with the trunk upright
  double head_tip;                             // from the head's joint to its tip
  double toe_ahead, toe_drop, toe_length;      // toes from the ankle, and to their tip
  double foot_tip;                             // of feet without toes: how far ahead they reach
  double left_ankle, right_ankle;              // above 0 where the foot stands
};

ActorFigures figure_out(ActorMotion actor);

}  // namespace surefoot
