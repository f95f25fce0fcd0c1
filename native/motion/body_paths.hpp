// A walking body over time as steps are cut from it: a few points, its feet, where it faces.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "geometry/vec.hpp"

namespace surefoot {

// Which joints of a skeleton are what, and points fixed to them.
struct BodyJoints {
  std::span<const int32_t> parents;  // before their children; the root's is -1
  const double* offsets;             // joints x 3
  int32_t chest, head;
  std::array<int32_t, 2> hands, feet, toes;  // left, right
  Vec3 heel;                                 // in a foot's frame
  std::array<Vec3, 2> tips;                  // in a toe's frame
  double leg;                                // [m]
};

// Arrays for `n` moments.
struct BodyPaths {
  double* points;    // n x 6 x 3: root, head, left hand, right hand, left foot, right foot
  double* feet;      // n x 2 x 3 x 3: heel, ball and toe tip of left and right
  double* headings;  // n: halfway between hips and chest, continuous
  double* crouch;    // n: the root's height above the lower foot, over the leg
  double* speed;     // n: of the root
};

void body_paths(const BodyJoints& joints, const double* root, const double* local, size_t n,
                double rate, const BodyPaths& out);

}  // namespace surefoot
