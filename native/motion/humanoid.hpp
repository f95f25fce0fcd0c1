// The canonical joints, in the order of surefoot.character.humanoid.JOINTS.
#pragma once

#include <array>
#include <cstdint>

namespace surefoot::humanoid {

inline constexpr int kPelvis = 0, kSpine = 1, kChest = 2, kNeck = 3, kHead = 4;
// Of the left; those of the right follow after each four.
inline constexpr int kShoulder = 5, kUpperArm = 6, kForearm = 7, kHand = 8;
inline constexpr int kThigh = 13, kShin = 14, kFoot = 15, kToe = 16;

inline constexpr int kJoints = 21;
inline constexpr int kOtherSide = 4;  // from a joint of the left arm or leg to that of the right

inline constexpr std::array<int, kJoints> kParents = {-1, 0,  1, 2,  3,  2,  5, 6,  7,  2, 9,
                                                      10, 11, 0, 13, 14, 15, 0, 17, 18, 19};

// The joint of the other side; the trunk's are their own.
constexpr int mirrored(int joint) {
  if (joint < kShoulder) return joint;
  const int first = joint < kThigh ? kShoulder : kThigh;
  return (joint - first) < kOtherSide ? joint + kOtherSide : joint - kOtherSide;
}

}  // namespace surefoot::humanoid
