#include "footsteps/clearing.hpp"

#include <algorithm>
#include <cmath>

#include "motion/forward.hpp"
#include "motion/humanoid.hpp"
#include "motion/turns.hpp"

namespace surefoot::footsteps {
namespace {

using humanoid::kJoints;

constexpr int kMoments = 20;
constexpr double kClearance = 0.012, kStepOver = 0.4;  // [m for a leg of 0.93 m]
constexpr double kUsualLeg = 0.93;                     // [m]
constexpr double kLeast = 0.35;  // of the arch: nearer to its ends a foot may touch what is there

double ramp(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10 + x * (6 * x - 15));
}

// Swings that land, of one piece.
struct Swing {
  int foot;
  double start, duration, rise, fall;
};

std::vector<Swing> swings(const Stepper& body, double start, double end) {
  std::vector<Swing> found;
  for (int k = 0; k < 64; ++k) {
    const Beat& beat = body.beat(start + (end - start) * (k + 0.5) / 64);
    for (int foot = 0; foot < 2; ++foot) {
      const FootBeat& own = beat.feet[foot];
      const bool known = std::any_of(found.begin(), found.end(), [&](const Swing& one) {
        return one.foot == foot && one.start == own.arch_start;
      });
      if (own.stands == 0 && own.arch_duration > 0 && !known)
        found.push_back({foot, own.arch_start, own.arch_duration, own.arch_rise, own.arch_fall});
    }
  }
  return found;
}

}  // namespace

double needed_arch(const Reel& reel, const Stepper& body, double start, double end,
                   const Carriers* carriers, Snapshot& world) {
  const double scale = reel.leg / kUsualLeg, over = scale * kStepOver;
  const BodyShape& shape = reel.shape;
  const double tip = 2 * shape.middle_ahead + shape.heel_behind - shape.ball_ahead;
  double needed = 0;
  for (const Swing& swing : swings(body, start, end)) {
    std::vector<Beat> beats;
    std::vector<double> times;
    for (int k = 0; k < kMoments; ++k) {
      const double t = swing.start + swing.duration * k / (kMoments - 1);
      // The last moment is still in the air.
      const double inside = std::min(t, swing.start + swing.duration - 1e-6);
      beats.push_back(body.beat(inside));
      times.push_back(inside);
    }
    std::vector<double> root(3 * kMoments), local(4 * kJoints * kMoments),
        places(3 * kJoints * kMoments), turns(4 * kJoints * kMoments),
        offsets(2 * kOffset * kMoments), drops(kMoments);
    std::vector<uint8_t> contacts(4 * kMoments);
    play_on(reel, beats, times, {&carriers, 1},
            {root.data(), local.data(), contacts.data(), offsets.data(), drops.data()}, 1, {});
    forward_kinematics(humanoid::kParents, reel.offsets.data(), root.data(), local.data(), 0,
                       kMoments, {}, places.data(), turns.data());
    Vec3 soles[kMoments][3];
    const auto fixed = [&](int k, int joint, Vec3 offset) {
      const size_t i = static_cast<size_t>(k) * kJoints + static_cast<size_t>(joint);
      const double *p = places.data() + 3 * i, *q = turns.data() + 4 * i;
      return Vec3{p[0], p[1], p[2]} + rotated(Quat{q[0], q[1], q[2], q[3]}, offset);
    };
    const int foot = humanoid::kFoot + humanoid::kOtherSide * swing.foot,
              toe = humanoid::kToe + humanoid::kOtherSide * swing.foot;
    for (int k = 0; k < kMoments; ++k) {
      soles[k][0] = fixed(k, foot, reel.heel);
      soles[k][1] = fixed(k, toe, {}) - Vec3{0, 0, shape.ball_height};
      soles[k][2] = fixed(k, toe, {tip, 0, -shape.ball_height});
    }
    double top = -kInfinity;
    for (const int k : {0, kMoments - 1})
      for (const Vec3& point : soles[k]) top = std::max(top, point.z);
    for (int k = 0; k < kMoments; ++k) {
      const double u = static_cast<double>(k) / (kMoments - 1);
      const double raised = ramp(u / swing.rise) * ramp((1 - u) / swing.fall);
      if (raised <= kLeast) continue;
      const double wave = std::sin(3.14159265358979323846 * u);
      for (const Vec3& point : soles[k]) {
        const double from = std::max(top, point.z) + over;
        const Support s =
            world.support({point.x, point.y, from}, times[static_cast<size_t>(k)], 0, over + 1);
        if (s.body >= 0)
          needed =
              std::max(needed, (s.height - point.z + scale * kClearance * wave * wave) / raised);
      }
    }
  }
  return std::clamp(needed, 0.0, over);
}

}  // namespace surefoot::footsteps
