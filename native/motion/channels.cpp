#include "motion/channels.hpp"

#include <cmath>
#include <numbers>

namespace surefoot {
namespace {

// q times the turn about one axis whose half angle has this cosine and sine.
inline void turn(double* q, int axis, double c, double s) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  switch (axis) {
    case 0:
      q[0] = w * c - x * s, q[1] = x * c + w * s, q[2] = y * c + z * s, q[3] = z * c - y * s;
      break;
    case 1:
      q[0] = w * c - y * s, q[1] = x * c - z * s, q[2] = y * c + w * s, q[3] = z * c + x * s;
      break;
    default:
      q[0] = w * c - z * s, q[1] = x * c + y * s, q[2] = y * c - x * s, q[3] = z * c + w * s;
  }
}

}  // namespace

void rotations_of_channels(std::span<const double> table, size_t columns,
                           std::span<const TurnChannel> channels, size_t joints, double* out) {
  const size_t frames = columns == 0 ? 0 : table.size() / columns;
  constexpr double kHalfDegree = std::numbers::pi / 360.0;
  for (size_t frame = 0; frame < frames; ++frame) {
    const double* const row = table.data() + frame * columns;
    double* const pose = out + frame * joints * 4;
    for (size_t joint = 0; joint < joints; ++joint) {
      pose[4 * joint] = 1.0;
      pose[4 * joint + 1] = pose[4 * joint + 2] = pose[4 * joint + 3] = 0.0;
    }
    for (const TurnChannel& channel : channels) {
      const double degrees = row[channel.column];
      // Many channels of a file are never used.
      if (degrees == 0.0) continue;
      // Whole turns first: a half angle keeps its precision however often the file went round.
      const double half = std::remainder(degrees, 720.0) * kHalfDegree;
      turn(pose + 4 * channel.joint, channel.axis, std::cos(half), std::sin(half));
    }
  }
}

}  // namespace surefoot
