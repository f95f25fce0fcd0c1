#include "motion/playing.hpp"

#include <array>
#include <numbers>
#include <vector>

#include "math/checks.hpp"
#include "motion/easing.hpp"
#include "motion/turns.hpp"

namespace surefoot {
namespace {

constexpr double kReach = 0.997;      // of thigh and shin: a straighter knee would jerk
constexpr double kStraight = 0.9995;  // likewise, at the very most
constexpr double kSoftReach = 0.03;   // of the leg, that gives way in the air
constexpr double kSoftDrop = 0.004;   // [m] over which the pelvis begins to be lowered
constexpr double kNearGround = 0.10;  // [s] before and after contact in which a foot is exact
constexpr double kHalt = 0.12;        // [s] in which a clip comes to rest
constexpr double kFlat = 1e-9;        // [rad]

double clamp01(double x) { return std::clamp(x, 0.0, 1.0); }

// 0 to 1 with level, unbent ends.
double smooth(double x) {
  x = clamp01(x);
  return x * x * x * (10 + x * (6 * x - 15));
}

Quat about_y(double angle) { return {std::cos(angle / 2), 0, std::sin(angle / 2), 0}; }
Quat about_z(double angle) { return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}; }

Quat unit(Quat q) { return q * (1.0 / length(q)); }

double wrapped(double angle) { return std::atan2(std::sin(angle), std::cos(angle)); }

Vec3 mixed(Vec3 a, Vec3 b, double share) { return a * (1 - share) + b * share; }

// The shorter way from a to b at constant rate.
Quat slerp(Quat a, Quat b, double share) {
  double cosine = dot(a, b);
  if (cosine < 0) b = b * -1.0, cosine = -cosine;
  if (cosine > 0.9999) return unit(a * (1 - share) + b * share);
  const double angle = std::acos(cosine), sine = std::sin(angle);
  return a * (std::sin((1 - share) * angle) / sine) + b * (std::sin(share * angle) / sine);
}

Pose body_pose(const double* bodies, int slot) {
  const double* p = bodies + 7 * slot;
  return {{p[0], p[1], p[2]}, {p[3], p[4], p[5], p[6]}};
}

// A pose in numbers that are cheap to work on: the root, and every joint's local rotation.
struct Figure {
  Vec3 root;
  Quat* local;
};

double clip_time(const Playback& clip, double t) {
  if (clip.halts == 0 || t <= clip.end) return clip.from + clip.speed * (t - clip.start);
  const double slowing = kHalt * (1 - std::exp(-(t - clip.end) / kHalt));
  return clip.from + clip.speed * (clip.end - clip.start + slowing);
}

// The clip's own pose: a cubic through the four frames around.
void sample(const Footage& footage, int joints, const Playback& clip, double t, Figure& out) {
  const auto count = static_cast<int64_t>(clip.frames);
  const double at = std::clamp(clip_time(clip, t) * clip.rate, 0.0, clip.frames - 1);
  const int64_t i = std::min(static_cast<int64_t>(at), std::max<int64_t>(count - 2, 0));
  const double x = at - static_cast<double>(i);
  const double x2 = x * x, x3 = x2 * x;
  const double weights[4] = {(-x3 + 2 * x2 - x) / 2, (3 * x3 - 5 * x2 + 2) / 2,
                             (-3 * x3 + 4 * x2 + x) / 2, (x3 - x2) / 2};
  const auto first = static_cast<int64_t>(clip.first);
  out.root = {};
  for (int joint = 0; joint < joints; ++joint) out.local[joint] = {0, 0, 0, 0};
  for (int tap = 0; tap < 4; ++tap) {
    const int64_t frame = first + std::clamp<int64_t>(i + tap - 1, 0, count - 1);
    const double w = weights[tap];
    if (w == 0) continue;
    const double* r = footage.root + 3 * frame;
    out.root = out.root + Vec3{r[0], r[1], r[2]} * w;
    const double* q = footage.local + 4 * joints * frame;
    for (int joint = 0; joint < joints; ++joint, q += 4)
      out.local[joint] = out.local[joint] + Quat{q[0], q[1], q[2], q[3]} * w;
  }
  for (int joint = 0; joint < joints; ++joint) out.local[joint] = unit(out.local[joint]);
}

struct Laid {
  Vec3 position;
  double yaw;
};

Laid lay(const LevelFrame& frame, const Pose& carrier, Vec3 root) {
  const double c = std::cos(frame.yaw), s = std::sin(frame.yaw);
  const Vec3 local{c * root.x - s * root.y + frame.x, s * root.x + c * root.y + frame.y,
                   root.z + frame.z};
  if (frame.body < 0) return {local, frame.yaw};
  // Where the carrier's own forward points: bodies stay upright on what tilts.
  const Vec3 ahead = rotated(carrier.rotation, {std::cos(frame.yaw), std::sin(frame.yaw), 0});
  return {rotated(carrier.rotation, local) + carrier.position, std::atan2(ahead.y, ahead.x)};
}

// Where a point of the clip's own space is in the world, and which way that space faces.
Laid laid(const Playback& clip, double t, const double* bodies, int slot, Vec3 point) {
  Laid at = lay(clip.begin, body_pose(bodies, slot), point);
  const double span = clip.frame_end - clip.frame_start;
  const double share = span > 0 ? smooth((t - clip.frame_start) / span) : 0.0;
  if (share > 0) {
    const Laid then = lay(clip.finish, body_pose(bodies, slot + 1), point);
    at.position = mixed(at.position, then.position, share);
    at.yaw += share * wrapped(then.yaw - at.yaw);
  }
  return at;
}

// The clip's pose where it is in the world.
void place(const Footage& footage, int joints, const Playback& clip, double t, const double* bodies,
           int slot, Figure& out) {
  sample(footage, joints, clip, t, out);
  const Laid at = laid(clip, t, bodies, slot, out.root);
  out.root = at.position;
  out.local[0] = about_z(at.yaw) * out.local[0];
}

struct Foot {
  Vec3 ankle;
  Quat rotation;
  double toes;  // [rad]
  Quat shin;    // in the world, for the knee's axis
};

Foot foot_of(const LegShape& leg, const Figure& figure) {
  const Quat pelvis = figure.local[0];
  const Vec3 hip = figure.root + rotated(pelvis, leg.hip);
  const Quat thigh = pelvis * figure.local[leg.thigh];
  const Vec3 knee = hip + rotated(thigh, leg.knee);
  const Quat shin = thigh * figure.local[leg.shin];
  const Quat toe = figure.local[leg.toe];
  return {knee + rotated(shin, leg.ankle), shin * figure.local[leg.foot],
          wrapped(2 * std::atan2(toe.y, toe.w)), shin};
}

// How far a foot points down [rad].
double pitch_of(Quat rotation) {
  const Vec3 ahead = rotated(rotation, {1, 0, 0});
  return std::atan2(-ahead.z, std::hypot(ahead.x, ahead.y));
}

// The ankle in the sole's frame when the foot has rolled by `pitch`: toes up about the heel, toes
// down about the axis of its toes, which stay flat.
Vec3 rolled_ankle(const BodyShape& shape, double pitch) {
  const bool on_heel = pitch < 0;
  const double pivot_x =
      on_heel ? -shape.middle_ahead - shape.heel_behind : -shape.middle_ahead + shape.ball_ahead;
  const double pivot_z = on_heel ? 0.0 : shape.ball_height;
  const double arm_x = on_heel ? shape.heel_behind : -shape.ball_ahead;
  const double arm_z = on_heel ? shape.ankle_height : shape.ankle_height - shape.ball_height;
  const double c = std::cos(pitch), s = std::sin(pitch);
  return {pivot_x + arm_x * c + arm_z * s, 0, pivot_z - arm_x * s + arm_z * c};
}

Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }

Pose hold_of(const FootBeat& foot, const Pose& carrier) {
  const Vec3 position = vec(foot.position);
  const Quat sole{foot.rotation[0], foot.rotation[1], foot.rotation[2], foot.rotation[3]};
  if (foot.body < 0) return {position, sole};
  return {rotated(carrier.rotation, position) + carrier.position, carrier.rotation * sole};
}

// A foot on its hold, rolled as far as the clips say.
Foot locked(const BodyShape& shape, const Beat& beat, const FootBeat& foot, const Foot& played,
            double share, const Pose& hold, double& pitch) {
  const double flat = (1 - share) * foot.flat_out + share * foot.flat_in;
  pitch = pitch_of(played.rotation) - flat;
  if (beat.slack > 0) pitch *= smooth(std::abs(pitch) / beat.slack);
  return {hold.position + rotated(hold.rotation, rolled_ankle(shape, pitch)),
          hold.rotation * about_y(pitch), -std::max(pitch, 0.0), played.shin};
}

Offset offset_between(const Foot& from, const Foot& to, Vec3 body) {
  const Vec3 shift = to.ankle - from.ankle;
  const Vec3 turn = rotation_vector(to.rotation * conjugate(from.rotation));
  return {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z, wrapped(to.toes - from.toes),
          body.x,  body.y,  body.z};
}

// Quintic weights of a value and of its rate that fade to nothing, with level ends. The rate is
// forgotten soon: it only spares the foot a kink where it leaves the ground.
Foot moved(const Foot& foot, const Offset& by) {
  return {foot.ankle + Vec3{by[0], by[1], by[2]},
          from_rotation_vector({by[3], by[4], by[5]}) * foot.rotation, foot.toes + by[6],
          foot.shin};
}

// What a swing is raised by, and held back by at first, so that it gets over an edge.
Vec3 arch(const FootBeat& foot, double t) {
  if (foot.arch_duration <= 0) return {};
  const double x = (t - foot.arch_start) / foot.arch_duration;
  // Down a step the same, backward in time: it goes ahead before it sinks.
  const double y = foot.arch_fall < foot.arch_rise ? 1 - x : x;
  const double back = smooth(y / 0.25) * smooth((0.8 - y) / 0.55);
  return {foot.held_back[0] * back, foot.held_back[1] * back,
          foot.arch_height * smooth(x / foot.arch_rise) * smooth((1 - x) / foot.arch_fall)};
}

// How exactly a foot must be where it is said to be: 1 on the ground and close to it in time.
double exactness(const FootBeat& foot, double t) {
  if (foot.stands > 0) return 1;
  const double left =
      foot.leave.duration > 0 ? 1 - smooth((t - foot.leave.start) / kNearGround) : 0;
  const double until = foot.land.start + foot.land.duration - t;
  const double lands = foot.land.duration > 0 ? 1 - smooth(until / kNearGround) : 0;
  return std::max(left, lands);
}

// max(0, x), rounded where it begins.
double soft_positive(double x, double soft) {
  if (x <= -soft) return 0;
  return x >= soft ? x : (x + soft) * (x + soft) / (4 * soft);
}

// How much lower [m] the pelvis must be for a leg stretched to `reach` of its length.
double drop_needed(const LegShape& leg, Vec3 hip, Vec3 ankle, double reach) {
  reach *= length(leg.knee) + length(leg.ankle);
  const double away = std::hypot(hip.x - ankle.x, hip.y - ankle.y);
  return hip.z - ankle.z - std::sqrt(std::max(reach * reach - away * away, 0.0));
}

// How far the pelvis is lowered: a cubic through the samples of the beat.
double lowered(const Beat& beat, double t) {
  const double span = beat.end - beat.start;
  const double x =
      span > 0 && std::isfinite(span) ? clamp01((t - beat.start) / span) * (kDrops - 3) : 0.0;
  const int i = std::min(static_cast<int>(x), kDrops - 4);
  const double u = x - i;
  const double* p = beat.drops + i;
  return p[1] +
         u / 2 *
             (p[2] - p[0] +
              u * (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3] + u * (3 * (p[1] - p[2]) + p[3] - p[0])));
}

// Thigh, shin and foot that bring the ankle to its place; the knee bends as it did in the clips.
void solve_leg(const LegShape& leg, const Foot& foot, Figure& figure) {
  const Quat pelvis = figure.local[0];
  const Vec3 hip = figure.root + rotated(pelvis, leg.hip);
  const double upper = length(leg.knee), lower = length(leg.ankle);
  const Vec3 line = foot.ankle - hip;
  const double distance = std::max(length(line), 1e-9);
  const Vec3 aim = line * (1 / distance);
  const double reach = std::clamp(distance, std::abs(upper - lower) + 1e-6, upper + lower);
  Vec3 across = rotated(foot.shin, {0, 1, 0});
  across = across - aim * dot(across, aim);
  double size = length(across);
  if (size < 1e-6) across = cross(aim, {1, 0, 0}), size = length(across);
  across = across * (1 / size);
  const double along = (upper * upper - lower * lower + reach * reach) / (2 * reach);
  const double height = std::sqrt(std::max(upper * upper - along * along, 0.0));
  const Vec3 knee = hip + aim * along + cross(aim, across) * height;
  const Vec3 ankle = hip + aim * reach;
  const auto bone = [&](Vec3 from, Vec3 to) {
    const Vec3 up = (from - to) * (1 / length(from - to));
    return turn_facing(across, up);
  };
  const Quat thigh = bone(hip, knee), shin = bone(knee, ankle);
  figure.local[leg.thigh] = conjugate(pelvis) * thigh;
  figure.local[leg.shin] = conjugate(thigh) * shin;
  figure.local[leg.foot] = conjugate(shin) * foot.rotation;
  figure.local[leg.toe] = about_y(foot.toes);
}

// A swinging foot gives way softly where its leg is too short.
void within_reach(const LegShape& leg, const Figure& figure, double free, Foot& foot) {
  if (free <= 0) return;
  const Vec3 hip = figure.root + rotated(figure.local[0], leg.hip);
  const double full = kReach * (length(leg.knee) + length(leg.ankle)), zone = kSoftReach * full;
  const Vec3 away = foot.ankle - hip;
  const double distance = length(away), over = distance - (full - zone);
  if (over <= 0) return;
  const double reached = full - zone * std::exp(-over / zone);
  foot.ankle = foot.ankle + away * (free * (reached / distance - 1));
}

struct Player {
  const Footage& footage;
  const BodyShape& shape;
  std::vector<Quat> in, out;

  Player(const Footage& footage, const BodyShape& shape)
      : footage(footage), shape(shape), in(shape.joints), out(shape.joints) {}

  void play(const Beat& beat, double t, const double* bodies, double* root, double* local,
            uint8_t* contacts, double* offsets, double* needed) {
    Figure figure{{}, in.data()};
    place(footage, shape.joints, beat.in, t, bodies, 0, figure);
    double share = 1;
    if (beat.blend_duration > 0) share = smooth((t - beat.blend_start) / beat.blend_duration);
    if (share < 1) blend(beat, t, bodies, share, figure);

    Foot feet[2];
    double free[2], total = 0;
    Vec3 shift{};
    for (int side = 0; side < 2; ++side) {
      const FootBeat& foot = beat.feet[side];
      const Foot played = foot_of(shape.legs[side], figure);
      Offset offset;
      double pitch = 0;
      if (foot.stands > 0) {
        const Pose hold = hold_of(foot, body_pose(bodies, 4 + side));
        feet[side] = locked(shape, beat, foot, played, share, hold, pitch);
        Vec3 anchor = laid(beat.in, t, bodies, 0, vec(foot.anchor_in)).position;
        if (share < 1 && !std::isnan(foot.anchor_out[0]))
          anchor =
              mixed(laid(beat.out, t, bodies, 2, vec(foot.anchor_out)).position, anchor, share);
        offset = offset_between(played, feet[side], hold.position - anchor);
      } else {
        offset = eased(foot.leave, foot.land, t);
        feet[side] = moved(played, offset);
        feet[side].ankle = feet[side].ankle + arch(foot, t);
      }
      free[side] = 1 - exactness(foot, t);
      contacts[2 * side] = foot.stands > 0 && pitch <= kFlat;
      contacts[2 * side + 1] = foot.stands > 0 && pitch >= -kFlat;
      std::copy(offset.begin(), offset.end(), offsets + kOffset * side);
      // A foot that has not been on the ground yet says nothing about where the body should be.
      if (foot.stands == 0 && foot.leave.duration <= 0 && foot.land.duration <= 0) continue;
      shift = shift + Vec3{beat.follow * offset[7], beat.follow * offset[8], offset[9]};
      total += 1;
    }
    // The body goes with its feet, and down to what they stand on.
    if (total > 0) figure.root = figure.root + shift * (1 / total);
    *needed = drop(figure, feet, free, kReach, kSoftDrop);
    figure.root.z -= lowered(beat, t);
    figure.root.z -= drop(figure, feet, free, kStraight, kSoftDrop / 8);
    for (int side = 0; side < 2; ++side) {
      within_reach(shape.legs[side], figure, free[side], feet[side]);
      solve_leg(shape.legs[side], feet[side], figure);
    }
    root[0] = figure.root.x, root[1] = figure.root.y, root[2] = figure.root.z;
    for (int joint = 0; joint < shape.joints; ++joint, local += 4) {
      const Quat q = figure.local[joint];
      local[0] = q.w, local[1] = q.x, local[2] = q.y, local[3] = q.z;
    }
  }

  // How far the pelvis must be lowered for both legs to reach the ground.
  double drop(const Figure& figure, const Foot* feet, const double* free, double reach,
              double soft) const {
    double each[2];
    for (int side = 0; side < 2; ++side) {
      const Vec3 hip = figure.root + rotated(figure.local[0], shape.legs[side].hip);
      const double most = drop_needed(shape.legs[side], hip, feet[side].ankle, reach);
      each[side] = most - free[side] * (std::abs(most) + 2 * soft);
    }
    const double both = each[1] + soft_positive(each[0] - each[1], soft);
    return std::min(soft_positive(both, soft), shape.deepest);
  }

  void blend(const Beat& beat, double t, const double* bodies, double share, Figure& figure) {
    Figure before{{}, out.data()};
    place(footage, shape.joints, beat.out, t, bodies, 2, before);
    figure.root = mixed(before.root, figure.root, share);
    for (int joint = 0; joint < shape.joints; ++joint)
      figure.local[joint] = slerp(before.local[joint], figure.local[joint], share);
  }
};

// A clip within the footage, at times that can be worked out.
void check_clip(const Playback& clip, size_t frames) {
  const auto most = static_cast<double>(frames);
  if (!(clip.first >= 0 && clip.frames >= 1 && clip.first + clip.frames <= most))
    refuse("a beat plays ", clip.frames, " frames from frame ", clip.first, " on; the footage has ",
           frames);
  check_finite(clip.rate, "rate");
  check_finite(clip.from, "from");
  check_finite(clip.speed, "speed");
  check_finite(clip.start, "start");
}

}  // namespace

void check_shape(const BodyShape& shape) {
  check_number(shape.joints, "joints", 1, 1e6);
  for (const LegShape& leg : shape.legs)
    for (const int32_t joint : {leg.thigh, leg.shin, leg.foot, leg.toe})
      check_index(joint, static_cast<size_t>(shape.joints), "a joint of a leg");
  for (const double size : {shape.ankle_height, shape.ball_height, shape.heel_behind,
                            shape.ball_ahead, shape.middle_ahead, shape.deepest})
    check_coordinate(size, "a size of the foot");
}

void play(const Footage& footage, const BodyShape& shape, std::span<const Beat> beats,
          std::span<const double> times, const double* bodies, const Played& out, int threads,
          const Interrupt& interrupt) {
  check_shape(shape);
  check_count(times.size(), "times", beats.size(), "beats");
  check_finite(times, "times");
  for (const Beat& beat : beats) {
    check_clip(beat.in, footage.frames);
    check_clip(beat.out, footage.frames);
  }
  parallel_for(beats.size(), threads, 64, interrupt, [&](size_t first, size_t last) {
    Player player(footage, shape);
    for (size_t i = first; i < last; ++i)
      player.play(beats[i], times[i], bodies + 7 * kSlots * i, out.root + 3 * i,
                  out.local + 4 * static_cast<size_t>(shape.joints) * i, out.contacts + 4 * i,
                  out.offsets + 2 * kOffset * i, out.needed + i);
  });
}

}  // namespace surefoot
