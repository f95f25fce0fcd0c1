#include "motion/standing.hpp"

#include <algorithm>
#include <numeric>

namespace surefoot {
namespace {

using namespace humanoid;

// The share of a clip's frames in which a foot is taken to stand, and of those the share in which
// the heel is down.
constexpr double kStanding = 0.15, kHeelDown = 0.5;
// A foot that stands is level to this angle [rad] on average, and its sole no further than this
// from where the rest pose has it.
constexpr double kLevel = 0.25, kFar = 0.7;
// Toes above or below the ankle to this share of their distance do not show what is ahead.
constexpr double kUpright = 0.9;

// Indices in the order of their values; equal ones in their own order.
template <class Less>
std::vector<size_t> sorted(size_t count, Less less) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), less);
  return order;
}

std::optional<Vec3> toe_direction(const ActorMotion& actor, int foot,
                                  std::span<const size_t> some) {
  const int toe = foot + 1;
  if (actor.has(toe)) return bone_direction(actor, foot, toe, some);
  const std::optional<Vec3> tip = actor.tip(foot);
  return tip ? std::optional(unit_of(*tip)) : std::nullopt;
}

}  // namespace

std::vector<size_t> standing_frames(const ActorMotion& actor, int foot) {
  const size_t count = actor.frames;
  if (count < 8) {
    std::vector<size_t> all(count);
    std::iota(all.begin(), all.end(), size_t{0});
    return all;
  }
  const int toe = foot + 1;
  std::vector<double> speeds(count - 1), turned(count - 1);
  for (size_t i = 0; i + 1 < count; ++i) {
    const Vec3 step = actor.place(i + 1, foot) - actor.place(i, foot);
    speeds[i] = dot(step, step);
    if (actor.has(toe)) {
      const Vec3 other = actor.place(i + 1, toe) - actor.place(i, toe);
      speeds[i] = std::max(speeds[i], dot(other, other));
    }
    turned[i] = 1.0 - std::abs(dot(actor.turn(i + 1, foot), actor.turn(i, foot)));
  }
  // The order by one plus the order by the other: neither has a scale that fits all clips.
  std::vector<size_t> ranks(count - 1);
  for (const std::vector<double>* by : {&speeds, &turned}) {
    const auto order = sorted(count - 1, [by](size_t a, size_t b) { return (*by)[a] < (*by)[b]; });
    for (size_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] += rank;
  }
  auto order = sorted(count - 1, [&](size_t a, size_t b) { return ranks[a] < ranks[b]; });
  order.resize(std::max<size_t>(4, static_cast<size_t>(kStanding * count)));
  return order;
}

Vec3 bone_direction(const ActorMotion& actor, int joint, int end, std::span<const size_t> some) {
  Vec3 total;
  for (const size_t frame : some) {
    const Vec3 along = actor.place(frame, end) - actor.place(frame, joint);
    total = total + rotated(conjugate(actor.turn(frame, joint)), along);
  }
  return unit_of(total);
}

SoleAxes sole_axes(const ActorMotion& actor, int foot, std::span<const size_t> frames, Quat resting,
                   bool stands, std::span<const size_t> some) {
  const int toe = foot + 1;
  std::vector<Vec3> upward;
  for (const size_t frame : frames)
    upward.push_back(rotated(conjugate(actor.turn(frame, foot)), {0, 0, 1}));
  std::optional<Vec3> ahead = toe_direction(actor, foot, some);
  std::vector<size_t> flat(frames.begin(), frames.end());
  if (ahead && frames.size() > 8) {
    // Of a foot that stands, the toes are highest over the heel where the heel is down.
    auto order = sorted(frames.size(), [&](size_t a, size_t b) {
      return dot(upward[a], *ahead) > dot(upward[b], *ahead);
    });
    order.resize(std::max<size_t>(4, static_cast<size_t>(kHeelDown * frames.size())));
    std::vector<Vec3> kept;
    flat.clear();
    for (const size_t i : order) kept.push_back(upward[i]), flat.push_back(frames[i]);
    upward = std::move(kept);
  }
  Vec3 up;
  for (const Vec3& v : upward) up = up + v;
  up = unit_of(up);
  double tilt = 0;
  for (const Vec3& v : upward) tilt += std::acos(std::clamp(dot(v, up), -1.0, 1.0));
  const Vec3 resting_up = rotated(resting, {0, 0, 1});
  const bool level = tilt < kLevel * static_cast<double>(upward.size());
  if (stands && (!level || dot(up, resting_up) < std::cos(kFar))) up = unit_of(resting_up);
  if (!ahead || std::abs(dot(*ahead, up)) > kUpright) ahead = rotated(resting, {1, 0, 0});
  const Vec3 forward = unit_of(across_of(*ahead, up));
  SoleAxes found;
  found.foot = turn_of_axes(forward, cross(up, forward), up);
  if (actor.has(toe)) {
    // In line with the foot where the foot stands flat.
    std::vector<Quat> between;
    for (const size_t frame : flat)
      between.push_back(conjugate(actor.turn(frame, toe)) * actor.turn(frame, foot));
    found.toe = mean_turn(between) * found.foot;
  }
  return found;
}

}  // namespace surefoot
