#include "motion/carrying.hpp"

#include <algorithm>
#include <numbers>

namespace surefoot {
namespace {

using namespace humanoid;

// The straightest a leg may get, and how softly the pelvis gives way to that, over the leg.
constexpr double kStraight = 0.9999, kSoft = 0.0005;
constexpr int kSides[] = {0, kOtherSide};

using Turns = std::array<Quat, kJoints>;

Quat halfway(Quat a, Quat b) {
  const Quat sum = a + b * (dot(a, b) < 0 ? -1.0 : 1.0);
  return sum * (1.0 / length(sum));
}

// World rotations of the canonical joints; what the actor lacks follows its neighbours.
Turns carried(const ActorMotion& actor, size_t frame, const Turns& axes) {
  Turns world;
  for (int joint = 0; joint < kJoints; ++joint)
    world[joint] =
        actor.has(joint) ? actor.turn(frame, joint) * axes[joint] : world[kParents[joint]];
  if (!actor.has(kSpine) && actor.has(kChest))
    world[kSpine] = halfway(world[kPelvis], world[kChest]);
  if (!actor.has(kNeck) && actor.has(kHead)) world[kNeck] = halfway(world[kChest], world[kHead]);
  return world;
}

class Legs {
 public:
  Legs(const ActorMotion& actor, const CanonicalBody& body) : actor_(actor) {
    const auto offset = [&](int joint) {
      const double* p = body.offsets + 3 * joint;
      return Vec3{p[0], p[1], p[2]};
    };
    for (const int side : kSides) hips_[side != 0] = offset(kThigh + side);
    upper_ = length(offset(kShin)), lower_ = length(offset(kFoot));
  }

  // Midway between the actor's hips, low enough for both ankles. The canonical legs are as long as
  // the actor's are on average, which may be millimetres less than the longer one.
  Vec3 pelvis(size_t frame, Quat turned) const {
    const Vec3 middle =
        (actor_.place(frame, kThigh) + actor_.place(frame, kThigh + kOtherSide)) * 0.5;
    const double full = kStraight * (upper_ + lower_), soft = kSoft * full;
    double highest[3] = {middle.z, 0, 0};
    for (const int side : kSides) {
      const Vec3 ankle = actor_.place(frame, kFoot + side), hip = rotated(turned, hips_[side != 0]);
      const Vec3 away = ankle - middle - hip;
      const double reach = std::max(full * full - away.x * away.x - away.y * away.y, 0.0);
      highest[1 + (side != 0)] = ankle.z - hip.z + std::sqrt(reach);
    }
    // Smooth where one limit takes over from another; further apart they do not feel each other.
    const double least = std::min({highest[0], highest[1], highest[2]});
    double total = 0;
    int near = 0;
    for (const double height : highest)
      if (height - least < 40 * soft) total += std::exp((least - height) / soft), ++near;
    return {middle.x, middle.y, near == 1 ? least : least - soft * std::log(total)};
  }

  // Turns thigh and shin so that the ankle is where the actor's is.
  void solve(size_t frame, int side, Vec3 root, Turns& world) const {
    const Vec3 hip = root + rotated(world[kPelvis], hips_[side != 0]);
    const Vec3 line = actor_.place(frame, kFoot + side) - hip;
    const double distance = length(line);
    const Vec3 aim = distance > 1e-12 ? line * (1.0 / distance) : Vec3{0, 0, -1};
    const double shortest = std::max(std::abs(upper_ - lower_), 1e-9);
    const double reach = std::clamp(distance, shortest, upper_ + lower_);
    Vec3 across = across_of(rotated(world[kThigh + side], {0, 1, 0}), aim);
    if (length(across) <= 1e-9)
      across = cross(aim, std::abs(aim.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 0, -1});
    across = unit_of(across);
    // The foot of the knee's height over the line, and that height (law of cosines).
    const double along = (upper_ * upper_ - lower_ * lower_ + reach * reach) / (2 * reach);
    const double height = std::sqrt(std::max(upper_ * upper_ - along * along, 0.0));
    const Vec3 knee = aim * along + cross(aim, across) * height, ankle = aim * reach;
    world[kThigh + side] = turn_facing(across, -unit_of(knee));
    world[kShin + side] = turn_facing(across, -unit_of(ankle - knee));
  }

 private:
  const ActorMotion& actor_;
  Vec3 hips_[2];
  double upper_, lower_;
};

// Keeps a foot's turn against its shin to what ankles do, as `kinematics.joint_angles` measures it:
// a twist about the foot's x, then a swing across it. How far beyond the range it was, and the turn
// within it; captures lose the markers of a foot in fast swings and turn it over.
double limited(Quat& q, const std::array<double, 6>& range) {
  if (q.w < 0) q = q * -1.0;
  // No part of a turn is larger than the whole.
  double least = std::numbers::pi;
  for (int k = 0; k < 3; ++k) least = std::min({least, -range[2 * k], range[2 * k + 1]});
  if (least > 0 && q.w > std::cos(least / 2)) return 0;
  double twist = 2 * std::atan2(q.x, q.w);
  if (twist > std::numbers::pi) twist -= 2 * std::numbers::pi;
  const Quat back{std::cos(twist / 2), -std::sin(twist / 2), 0, 0};
  const Vec3 swing = rotation_vector(q * back);
  const double angles[3] = {twist, swing.y, swing.z};
  double kept[3], beyond = 0;
  for (int k = 0; k < 3; ++k) {
    kept[k] = std::clamp(angles[k], range[2 * k], range[2 * k + 1]);
    beyond = std::max(beyond, std::abs(kept[k] - angles[k]));
  }
  if (beyond > 0) {
    const Quat turned{std::cos(kept[0] / 2), std::sin(kept[0] / 2), 0, 0};
    q = from_rotation_vector({0, kept[1], kept[2]}) * turned;
  }
  return beyond;
}

// The turn about y that takes x as near as can be to where another turn takes it.
Quat bent_only(Quat q) {
  const Vec3 ahead = rotated(q, {1, 0, 0});
  const double size = std::hypot(ahead.x, ahead.z);
  if (size < 1e-12) return {};
  const double cosine = ahead.x / size;
  return {std::sqrt(std::max(0.5 * (1 + cosine), 0.0)), 0,
          std::copysign(std::sqrt(std::max(0.5 * (1 - cosine), 0.0)), -ahead.z), 0};
}

}  // namespace

double carry_over(const ActorMotion& actor, const Turns& axes, const CanonicalBody& body,
                  double* root, double* local) {
  const Legs legs(actor, body);
  double beyond = 0;
  for (size_t frame = 0; frame < actor.frames; ++frame) {
    Turns world = carried(actor, frame, axes);
    const Vec3 pelvis = legs.pelvis(frame, world[kPelvis]);
    for (const int side : kSides) legs.solve(frame, side, pelvis, world);
    Turns turned;
    turned[0] = world[0];
    for (int joint = 1; joint < kJoints; ++joint)
      turned[joint] = conjugate(world[kParents[joint]]) * world[joint];
    for (const int side : kSides) {
      // Toes only bend.
      turned[kToe + side] = bent_only(turned[kToe + side]);
      const auto& range = side == 0 ? body.left_ankle_range : body.right_ankle_range;
      beyond = std::max(beyond, limited(turned[kFoot + side], range));
    }
    double* const at = root + 3 * frame;
    at[0] = pelvis.x, at[1] = pelvis.y, at[2] = pelvis.z;
    for (int joint = 0; joint < kJoints; ++joint) {
      // Products of unit quaternions are off by rounding only; one step of Newton's takes it away.
      const Quat q = turned[joint] * (1.5 - 0.5 * dot(turned[joint], turned[joint]));
      double* const out = local + 4 * (kJoints * frame + joint);
      out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
    }
  }
  return beyond;
}

}  // namespace surefoot
