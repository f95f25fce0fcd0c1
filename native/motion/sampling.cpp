#include "motion/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace surefoot {
namespace {

// Shares of two unit quaternions with this cosine between them (Shoemake 1985); for nearly equal
// ones the sines vanish and a straight line is as good.
struct Shares {
  double first, second;
};

inline Shares shares(double cosine, double fraction) {
  if (cosine > 1.0 - 1e-8) return {1.0 - fraction, fraction};
  const double angle = std::acos(std::min(cosine, 1.0)), sine = std::sin(angle);
  return {std::sin((1.0 - fraction) * angle) / sine, std::sin(fraction * angle) / sine};
}

}  // namespace

void rotations_between(const double* rotations, size_t joints, std::span<const int32_t> frames,
                       std::span<const double> fractions, double* out) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const double* a = rotations + 4 * joints * frames[i];
    if (fractions[i] == 0.0) {
      out = std::copy(a, a + 4 * joints, out);
      continue;
    }
    const double* b = a + 4 * joints;
    for (size_t joint = 0; joint < joints; ++joint, a += 4, b += 4, out += 4) {
      const double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
      const Shares share = shares(std::abs(cosine), fractions[i]);
      const double other = cosine < 0 ? -share.second : share.second;
      double mixed[4], square = 0;
      for (int k = 0; k < 4; ++k) {
        mixed[k] = share.first * a[k] + other * b[k];
        square += mixed[k] * mixed[k];
      }
      const double scale = 1.0 / std::sqrt(square);
      for (int k = 0; k < 4; ++k) out[k] = mixed[k] * scale;
    }
  }
}

}  // namespace surefoot
