// Turns about single axes, channel by channel, as rotations of joints.
#pragma once

#include <cstdint>
#include <span>

namespace surefoot {

// One channel: the joint it turns, the axis (0, 1, 2) it turns about, and its column.
struct TurnChannel {
  int32_t joint, axis, column;
};

// Local rotations of every joint in every frame, wxyz, into `out` (frames x joints x 4). A joint's
// channels are multiplied in the order of `channels`; a joint without channels is not turned.
// `table` is frames x columns, angles in degrees.
void rotations_of_channels(std::span<const double> table, size_t columns,
                           std::span<const TurnChannel> channels, size_t joints, double* out);

}  // namespace surefoot
