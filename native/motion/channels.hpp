// Turns about single axes, channel by channel, as rotations of joints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace surefoot {

// One channel: the joint it turns, the axis (0, 1, 2) it turns about, its column, and whether it
// turns the other way (-1 instead of 1).
struct TurnChannel {
  int32_t joint, axis, column, sign;
};

// Local rotations of every joint in every frame, wxyz, into `out` (frames x joints x 4). A joint's
// channels stand together and are multiplied in their order; a joint without any is not turned.
// `table` is frames x columns, angles in degrees.
void rotations_of_channels(std::span<const double> table, size_t columns,
                           std::span<const TurnChannel> channels, size_t joints, double* out);

// The first of `count` quaternions that is not of unit length; `count` if all are.
size_t first_not_unit(const double* quaternions, size_t count);

}  // namespace surefoot
