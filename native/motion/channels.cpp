#include "motion/channels.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/vec.hpp"

// Twice as many at a time where the processor can; without fused operations, the same bits.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define SUREFOOT_WIDER __attribute__((target_clones("avx2", "default")))
#else
#define SUREFOOT_WIDER
#endif

namespace surefoot {
namespace {

// x rounded to a whole number, for |x| < 2^51, without a branch or a call.
inline double nearest(double x) {
  constexpr double kWholeOnly = 6755399441055744.0;  // 1.5 * 2^52: no bits are left for fractions
  return (x + kWholeOnly) - kWholeOnly;
}

// Cosines and sines of half the angles `degrees`. The whole quarter turns are taken off first,
// in degrees, where that is exact; the rest is at most an eighth of a turn, where Taylor's series
// to these terms is below the rounding of a double. No call to a library: the same bits everywhere,
// and compilers make it several at a time.
SUREFOOT_WIDER
void half_cosines_and_sines(const double* degrees, size_t count, double* cosines, double* sines) {
  for (size_t i = 0; i < count; ++i) {
    const double quarters = nearest(degrees[i] * (1.0 / 180.0));
    const double x = (degrees[i] - quarters * 180.0) * (std::numbers::pi / 360.0);
    const double y = x * x;
    const double sine =
        x * (1.0 + y * (-1.0 / 6 +
                        y * (1.0 / 120 +
                             y * (-1.0 / 5040 +
                                  y * (1.0 / 362880 + y * (-1.0 / 39916800 +
                                                           y * (1.0 / 6227020800 +
                                                                y * (-1.0 / 1307674368000))))))));
    const double cosine =
        1.0 + y * (-1.0 / 2 +
                   y * (1.0 / 24 +
                        y * (-1.0 / 720 +
                             y * (1.0 / 40320 +
                                  y * (-1.0 / 3628800 + y * (1.0 / 479001600 +
                                                             y * (-1.0 / 87178291200 +
                                                                  y * (1.0 / 20922789888000))))))));
    // The -2 to 2 quarter turns that are left of any number of them have cosines and sines of
    // 0, 1 or -1, here as polynomials without rounding: a branch would keep to one at a time.
    const double left = quarters - 4.0 * nearest(quarters * 0.25), square = left * left;
    const double c = (6.0 - 7.0 * square + square * square) * (1.0 / 6.0);
    const double s = left * (4.0 - square) * (1.0 / 3.0);
    cosines[i] = cosine * c - sine * s;
    sines[i] = sine * c + cosine * s;
  }
}

// q times the turn about one axis whose half angle has this cosine and sine.
inline Quat turned(Quat q, int axis, double c, double s) {
  const auto [w, x, y, z] = q;
  if (axis == 0) return {w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s};
  if (axis == 1) return {w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s};
  return {w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s};
}

}  // namespace

void rotations_of_channels(std::span<const double> table, size_t columns,
                           std::span<const TurnChannel> channels, size_t joints, double* out) {
  const size_t frames = columns == 0 ? 0 : table.size() / columns;
  std::vector<double> degrees(channels.size()), cosines(channels.size()), sines(channels.size());
  for (size_t frame = 0; frame < frames; ++frame) {
    const double* const row = table.data() + frame * columns;
    double* const pose = out + frame * joints * 4;
    for (size_t i = 0; i < channels.size(); ++i) {
      // Files that count turns go far beyond one; a remainder of two whole turns is exact.
      const double angle = row[channels[i].column];
      degrees[i] = std::abs(angle) < 1e6 ? angle : std::remainder(angle, 720.0);
    }
    half_cosines_and_sines(degrees.data(), channels.size(), cosines.data(), sines.data());
    for (size_t joint = 0; joint < joints; ++joint) {
      pose[4 * joint] = 1.0;
      pose[4 * joint + 1] = pose[4 * joint + 2] = pose[4 * joint + 3] = 0.0;
    }
    for (size_t i = 0; i < channels.size();) {
      const int32_t joint = channels[i].joint;
      Quat q;
      for (; i < channels.size() && channels[i].joint == joint; ++i)
        q = turned(q, channels[i].axis, cosines[i], channels[i].sign * sines[i]);
      double* const at = pose + 4 * joint;
      at[0] = q.w, at[1] = q.x, at[2] = q.y, at[3] = q.z;
    }
  }
}

size_t first_not_unit(const double* q, size_t count) {
  constexpr double kRounding = 1e-14;
  for (size_t i = 0; i < count; ++i, q += 4) {
    const double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    // Written so that a NaN is not of unit length either.
    if (!(std::abs(size - 1.0) <= kRounding)) return i;
  }
  return count;
}

}  // namespace surefoot
