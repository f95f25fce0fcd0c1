// Forward kinematics: where the joints of many poses are.
#pragma once

#include <cstdint>
#include <span>

#include "geometry/vec.hpp"

namespace surefoot {

// A joint that moves against its parent: where it is in the parent's frame, for each pose.
struct MovedJoint {
  int32_t joint;
  const double* places;  // poses x 3
};

// World positions (poses x joints x 3) and rotations (poses x joints x 4) from root positions
// (poses x 3) and local rotations (poses x joints x 4); parents come before their children, the
// root's is -1. Poses are independent of each other.
void forward_kinematics(std::span<const int32_t> parents, const double* offsets, const double* root,
                        const double* local, size_t first, size_t last,
                        std::span<const MovedJoint> moved, double* positions, double* world);

}  // namespace surefoot
