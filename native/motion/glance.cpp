#include "motion/glance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace surefoot {
namespace {

// How many frames may be stray, and how many later ones show how fast the motion is.
constexpr size_t kMost = 3, kLater = 90;
// By how much a step must exceed nearly all later ones: any, and one from a frame at rest.
constexpr double kTimes = 5.0, kFromRest = 2.0;
constexpr double kLeast = 0.08;  // [rad] that joints turn on average in what counts as a jump
// A joint turned by less [rad] is at rest, and the share of moving joints that makes a frame so.
constexpr double kAtRest = 1e-3, kShare = 0.5;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kLags[] = {1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512};
constexpr size_t kPairs = 64;  // of frames, spread over the clip, that each lag is judged by

double angle(double cosine_of_half) {
  return 2 * std::acos(std::min(std::abs(cosine_of_half), 1.0));
}

// The value below which this share of them lies.
double quantile(std::vector<double>& values, double share) {
  const auto at =
      values.begin() + static_cast<size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

using Six = std::array<double, 6>;  // both feet from the pelvis

}  // namespace

size_t stray_frames(const double* rotations, size_t frames, size_t joints) {
  const size_t few = std::min(frames, kMost + kLater + 1);
  if (few < kMost + 4 || joints == 0) return 0;
  // The angle from each frame to the next; a few joints that a capture has lost may jump too.
  std::vector<double> steps(few - 1);
  std::vector<bool> moving(joints);
  for (size_t frame = 0; frame + 1 < few; ++frame) {
    const double* a = rotations + 4 * joints * frame;
    const double* b = a + 4 * joints;
    for (size_t joint = 0; joint < joints; ++joint, a += 4, b += 4) {
      const double turned = angle(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
      steps[frame] += turned / static_cast<double>(joints);
      if (frame >= kMost && turned > kAtRest) moving[joint] = true;
    }
  }
  std::vector<double> later(steps.begin() + kMost, steps.end());
  const double usual = quantile(later, 0.9);
  const bool any = std::find(moving.begin(), moving.end(), true) != moving.end();
  size_t stray = 0;
  for (size_t frame = 0; frame < kMost; ++frame) {
    size_t counted = 0, resting = 0;
    for (size_t joint = 0; joint < joints; ++joint) {
      if (any && !moving[joint]) continue;
      ++counted;
      resting += angle(rotations[4 * (frame * joints + joint)]) < kAtRest;
    }
    const double share = static_cast<double>(resting) / static_cast<double>(counted);
    const double times = share > kShare ? kFromRest : kTimes;
    if (steps[frame] > std::max(times * usual, kLeast)) stray = frame + 1;
  }
  return stray;
}

Pace pace_of(const double* positions, size_t frames, size_t joints, size_t pelvis, size_t left_foot,
             size_t right_foot) {
  std::vector<Six> feet(frames);
  Six mean{};
  const auto place = [&](size_t frame, size_t joint) {
    return positions + 3 * (frame * joints + joint);
  };
  for (size_t frame = 0; frame < frames; ++frame) {
    const double* const hips = place(frame, pelvis);
    for (int k = 0; k < 6; ++k) {
      feet[frame][k] = place(frame, k < 3 ? left_foot : right_foot)[k % 3] - hips[k % 3];
      mean[k] += feet[frame][k] / static_cast<double>(frames);
    }
  }
  double variance = 0;
  for (const Six& each : feet)
    for (int k = 0; k < 6; ++k)
      variance += (each[k] - mean[k]) * (each[k] - mean[k]) / static_cast<double>(frames);
  Pace found{std::sqrt(variance), kUnknown, kUnknown};
  if (!(variance > 0)) return found;

  // How far apart frames are when the feet have moved a quarter of twice their variance; where one
  // frame is enough for that, frames are too far apart to tell.
  double before = 0;
  size_t last = 0;
  for (const size_t lag : kLags) {
    if (frames < 2 * lag) return found;
    double moved = 0;
    for (size_t pair = 0; pair < kPairs; ++pair) {
      const size_t start = pair * (frames - 1 - lag) / (kPairs - 1);
      for (int k = 0; k < 6; ++k) {
        const double step = feet[start + lag][k] - feet[start][k];
        moved += step * step;
      }
    }
    const double root = std::sqrt(moved / kPairs / (2 * variance));
    if (root > 0.5) {
      if (last == 0) return found;
      const double share = (0.5 - before) / (root - before);
      found.lag = static_cast<double>(last) + static_cast<double>(lag - last) * share;
      break;
    }
    before = root, last = lag;
  }
  if (std::isnan(found.lag)) return found;

  const size_t step = std::max<size_t>(1, std::lround(0.4 * found.lag));
  if (frames < 2 * step + 3) return found;
  std::vector<double> falls;
  const double square = static_cast<double>(step * step);
  for (size_t frame = step; frame + step < frames; ++frame)
    falls.push_back((2 * place(frame, pelvis)[2] - place(frame - step, pelvis)[2] -
                     place(frame + step, pelvis)[2]) /
                    square);
  found.fall = quantile(falls, 0.98);
  return found;
}

}  // namespace surefoot
