// An actor's motion carried over to the canonical skeleton.
#pragma once

#include "motion/actor.hpp"

namespace surefoot {

// The canonical skeleton that the motion goes to.
struct CanonicalBody {
  const double* offsets;                   // 21 x 3
  std::array<double, 6> left_ankle_range;  // [rad], lowest and highest about x, y and z
  std::array<double, 6> right_ankle_range;
};

// Poses (frames x 3, and frames x 21 x 4 local) with the ankles exactly where the actor's are:
// world rotations are carried over bone by bone, knees bend about the actor's own axes, and the
// pelvis is lowered where a leg is too short. Ankles keep to their range; returns how far [rad]
// beyond it the farthest was.
double carry_over(const ActorMotion& actor, const std::array<Quat, humanoid::kJoints>& axes,
                  const CanonicalBody& body, double* root, double* local);

}  // namespace surefoot
