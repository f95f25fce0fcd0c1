#include "motion/actor.hpp"

#include <algorithm>
#include <limits>

#include "motion/standing.hpp"

namespace surefoot {
namespace {

using namespace humanoid;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kLookedAt = 96;  // frames that figures of the whole clip are taken from
// A skeleton rests standing if its legs are at least as straight as this, over their length, its
// thighs point down within this angle [rad], and the toes ahead within that.
constexpr double kStraight = 0.96, kSplayed = 0.7, kTurnedOut = 1.1;
// A limb that never bends by this sine, or not about one axis to this share, does not show it.
constexpr double kBent = 0.12, kOneAxis = 0.8;
// A knee that bends by this sine bends; an upright trunk is this far along the upward axis; hands
// this low, over the hips' height, are feet.
constexpr double kBends = 0.2, kUprightTrunk = 0.6, kLowHands = 0.45;
// Feet without toes that reach this far ahead, over the shin, show how long they are.
constexpr double kReaches = 0.18;

constexpr int kFeet[] = {kFoot, kFoot + kOtherSide};
constexpr int kSides[] = {0, kOtherSide};

// Columns ahead, left, up of somebody who stands.
struct RestFrame {
  Vec3 ahead, left, up;
};

double median(std::vector<double> values) {
  if (values.empty()) return kUnknown;
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class Study {
 public:
  explicit Study(ActorMotion motion) : actor_(std::move(motion)) {
    const size_t count = std::min(actor_.frames, kLookedAt);
    for (size_t i = 0; i < count; ++i)
      some_.push_back(count == 1 ? 0 : i * (actor_.frames - 1) / (count - 1));
    exchanged_ = walks_backward();
    if (exchanged_) {
      const auto bones = actor_.bones;
      for (int bone = 0; bone < kJoints; ++bone) actor_.bones[mirrored(bone)] = bones[bone];
    }
    rest_ = rest_frame();
  }

  ActorFigures run() {
    ActorFigures found;
    found.exchanged = exchanged_;
    found.stands = rest_.has_value();
    found.on_all_fours = on_all_fours();
    for (const int bone :
         {kPelvis, kSpine, kChest, kNeck, kHead, kShoulder, kShoulder + kOtherSide})
      if (actor_.has(bone)) found.axes[bone] = trunk(bone);
    for (const int side : kSides) {
      limb(found.axes, kThigh + side, 1.0);
      arm(found.axes, side);
      const int foot = kFoot + side;
      const auto frames = standing_frames(actor_, foot);
      const Quat resting = as_above(foot - 1, foot, found.axes[foot - 1]);
      const SoleAxes soles = sole_axes(actor_, foot, frames, resting, rest_.has_value(), some_);
      found.axes[foot] = soles.foot;
      if (actor_.has(foot + 1)) found.axes[foot + 1] = soles.toe;
      std::vector<double> heights;
      for (const size_t frame : frames) heights.push_back(actor_.place(frame, foot).z);
      (side == 0 ? found.left_ankle : found.right_ankle) = median(std::move(heights));
    }
    measure(found);
    return found;
  }

 private:
  Vec3 left(size_t frame) const {
    return actor_.place(frame, kThigh) - actor_.place(frame, kThigh + kOtherSide);
  }

  // Across two bones, as long as the sine of their bend.
  Vec3 bend(size_t frame, int upper) const {
    const Vec3 middle = actor_.place(frame, upper + 1);
    return cross(unit_of(middle - actor_.place(frame, upper)),
                 unit_of(actor_.place(frame, upper + 2) - middle));
  }

  // Whether both knees bend, and both feet point, to where the sides' names say is behind.
  bool walks_backward() const {
    for (const int side : kSides) {
      double most = 0, bends = 0, toes = 0;
      for (const size_t frame : some_) {
        const Vec3 across = unit_of(left(frame)), knee = bend(frame, kThigh + side);
        most = std::max({most, std::abs(knee.x), std::abs(knee.y), std::abs(knee.z)});
        bends += dot(knee, across);
        if (!actor_.has(kToe + side)) continue;
        Vec3 up;
        for (const int other : kSides)
          up = up + actor_.place(frame, kThigh + other) - actor_.place(frame, kFoot + other);
        const Vec3 toe = actor_.place(frame, kToe + side) - actor_.place(frame, kFoot + side);
        toes += dot(toe, cross(across, up));
      }
      if (most < kBends || bends >= 0) return false;
      if (actor_.has(kToe + side) && toes >= 0) return false;
    }
    return true;
  }

  std::optional<RestFrame> rest_frame() const {
    Vec3 hips, feet;
    for (const int side : kSides) {
      hips = hips + actor_.rest_place(kThigh + side) * 0.5;
      feet = feet + actor_.rest_place(kFoot + side) * 0.5;
    }
    Vec3 top = hips;
    for (const int bone : {kHead, kNeck, kChest})
      if (actor_.has(bone)) {
        top = actor_.rest_place(bone);
        break;
      }
    const Vec3 along = top - feet;
    int axis = 0;
    for (int k = 1; k < 3; ++k)
      if (std::abs(along[k]) > std::abs(along[axis])) axis = k;
    Vec3 up;
    up[axis] = along[axis] < 0 ? -1.0 : 1.0;
    const Vec3 apart = actor_.rest_place(kThigh) - actor_.rest_place(kThigh + kOtherSide);
    const Vec3 across = across_of(apart, up);
    if (length(across) < 1e-6 || dot(up, unit_of(along)) < std::cos(kSplayed)) return {};
    const RestFrame frame{cross(unit_of(across), up), unit_of(across), up};
    return stands_in(frame) ? std::optional(frame) : std::nullopt;
  }

  // Whether the rest pose has straight legs below the body, and feet ahead.
  bool stands_in(const RestFrame& frame) const {
    for (const int side : kSides) {
      const Vec3 hip = actor_.rest_place(kThigh + side), knee = actor_.rest_place(kShin + side),
                 ankle = actor_.rest_place(kFoot + side);
      if (length(ankle - hip) < kStraight * (length(knee - hip) + length(ankle - knee)))
        return false;
      if (dot(unit_of(hip - ankle), frame.up) < std::cos(kSplayed)) return false;
      const std::optional<Vec3> tip = actor_.tip(kFoot + side);
      Vec3 toe;
      if (actor_.has(kToe + side))
        toe = actor_.rest_place(kToe + side) - ankle;
      else if (tip)
        toe = rotated(actor_.rest_turn(kFoot + side), *tip);
      const Vec3 level = across_of(toe, frame.up);
      if (length(level) > 1e-6 && dot(unit_of(level), frame.ahead) < std::cos(kTurnedOut))
        return false;
    }
    return true;
  }

  // Whether the trunk lies and the arms are legs, in the rest pose too.
  bool on_all_fours() const {
    if (rest_) return false;
    const bool hands = actor_.has(kHand) && actor_.has(kHand + kOtherSide);
    const int end = hands ? kHand : kForearm;
    for (const int side : kSides)
      if (!actor_.has(kUpperArm + side) || !actor_.has(end + side)) return false;
    std::vector<double> trunks;
    size_t low = 0;
    for (const size_t frame : some_) {
      const Vec3 hips = middle(frame, kThigh), feet = middle(frame, kFoot);
      trunks.push_back(unit_of(middle(frame, kUpperArm) - hips).z);
      low += middle(frame, end).z - feet.z < kLowHands * (hips.z - feet.z);
    }
    return median(std::move(trunks)) < kUprightTrunk && 2 * low > some_.size();
  }

  Vec3 middle(size_t frame, int bone) const {
    return (actor_.place(frame, bone) + actor_.place(frame, bone + kOtherSide)) * 0.5;
  }

  // A bone of the trunk: as it rests, or as it is on average over the clip.
  Quat trunk(int bone) const {
    if (rest_)
      return conjugate(actor_.rest_turn(bone)) * turn_of_axes(rest_->ahead, rest_->left, rest_->up);
    std::vector<Quat> turns;
    for (const size_t frame : some_) {
      const Vec3 across = left(frame);
      const double yaw = std::atan2(-across.x, across.y);
      turns.push_back(conjugate(actor_.turn(frame, bone)) *
                      Quat{std::cos(yaw / 2), 0, 0, std::sin(yaw / 2)});
    }
    return mean_turn(turns);
  }

  // Two bones: each points down to the next, and its left is the axis that they bend about.
  void limb(std::array<Quat, kJoints>& axes, int upper, double sign) const {
    for (const int bone : {upper, upper + 1}) {
      Vec3 total;
      double most = 0, sizes = 0;
      for (const size_t frame : some_) {
        const Vec3 inside = rotated(conjugate(actor_.turn(frame, bone)), bend(frame, upper) * sign);
        total = total + inside;
        most = std::max(most, length(inside));
        sizes += length(inside);
      }
      const bool shown = most > kBent && length(total) > kOneAxis * sizes;
      axes[bone] = pointing(bone, shown ? total : resting_left(bone));
    }
  }

  void arm(std::array<Quat, kJoints>& axes, int side) const {
    const int upper = kUpperArm + side, fore = kForearm + side, hand = kHand + side;
    if (!actor_.has(upper) || !actor_.has(fore)) return;
    if (actor_.has(hand)) {
      // An elbow bends the other way than a knee.
      limb(axes, upper, -1.0);
      axes[hand] = as_above(fore, hand, axes[fore]);
    } else {
      axes[upper] = pointing(upper, resting_left(upper));
      axes[fore] = as_above(upper, fore, axes[upper]);
    }
  }

  // The axes of a bone whose down is along it and whose left is as near to `left` as can be.
  Quat pointing(int bone, Vec3 left) const {
    const Vec3 up = -bone_direction(actor_, bone, bone + 1, some_);
    Vec3 across = across_of(left, up);
    if (length(across) < 1e-6) {
      int axis = 0;
      for (int k = 1; k < 3; ++k)
        if (std::abs(up[k]) < std::abs(up[axis])) axis = k;
      Vec3 spare;
      spare[axis] = 1.0;
      across = across_of(spare, up);
    }
    return turn_facing(unit_of(across), up);
  }

  // The left of a limb that does not bend, in the bone's own frame: the rest pose with the limb
  // lowered the shortest way; without one, the body's left on average.
  Vec3 resting_left(int bone) const {
    if (rest_) {
      const Vec3 along = actor_.rest_place(bone + 1) - actor_.rest_place(bone);
      const Quat lowered = turn_between(along, -rest_->up);
      return rotated(conjugate(actor_.rest_turn(bone)), rotated(conjugate(lowered), rest_->left));
    }
    Vec3 total;
    for (const size_t frame : some_)
      total = total + rotated(conjugate(actor_.turn(frame, bone)), left(frame));
    return total;
  }

  // The axes of the bone after another where the two are as at rest, in line.
  Quat as_above(int bone, int below, Quat axes) const {
    if (rest_) return conjugate(actor_.rest_turn(below)) * actor_.rest_turn(bone) * axes;
    std::vector<Quat> between;
    for (const size_t frame : some_)
      between.push_back(conjugate(actor_.turn(frame, below)) * actor_.turn(frame, bone));
    return mean_turn(between) * axes;
  }

  // The usual distance between two joints.
  double apart(int first, int second) const {
    if (!actor_.has(first) || !actor_.has(second)) return kUnknown;
    std::vector<double> lengths;
    for (const size_t frame : some_)
      lengths.push_back(length(actor_.place(frame, second) - actor_.place(frame, first)));
    return median(std::move(lengths));
  }

  // The mean of the two sides, or of the one that is known.
  static double both(double left, double right) {
    if (std::isnan(left)) return right;
    return std::isnan(right) ? left : (left + right) / 2;
  }
  double both_apart(int first, int second) const {
    return both(apart(first, second), apart(first + kOtherSide, second + kOtherSide));
  }

  void measure(ActorFigures& found) const {
    found.thigh = both_apart(kThigh, kShin);
    found.shin = both_apart(kShin, kFoot);
    found.hip_width = apart(kThigh, kThigh + kOtherSide);
    found.shoulder_width = apart(kUpperArm, kUpperArm + kOtherSide);
    found.upper_arm = both_apart(kUpperArm, kForearm);
    found.forearm = both_apart(kForearm, kHand);
    found.neck_rise = rise(kNeck, kNeck);
    found.head_rise = rise(kHead, kHead);
    found.shoulder_rise = rise(kUpperArm, kUpperArm + kOtherSide);
    const std::optional<Vec3> crown = actor_.has(kHead) ? actor_.tip(kHead) : std::nullopt;
    found.head_tip = crown ? length(*crown) : kUnknown;
    double ahead[2], drop[2], tips[2], reach[2];
    for (int i = 0; i < 2; ++i) {
      const int foot = kFeet[i], toe = foot + 1;
      ahead[i] = drop[i] = tips[i] = reach[i] = kUnknown;
      const Quat back = conjugate(found.axes[foot]);
      if (actor_.has(toe)) {
        const Vec3 along =
            rotated(back, bone_direction(actor_, foot, toe, some_)) * apart(foot, toe);
        ahead[i] = along.x, drop[i] = -along.z;
        if (const auto end = actor_.tip(toe)) tips[i] = length(*end);
      } else if (const auto end = actor_.tip(foot)) {
        const double x = rotated(back, *end).x;
        if (x > kReaches * found.shin) reach[i] = x;
      }
    }
    found.toe_ahead = both(ahead[0], ahead[1]);
    found.toe_drop = both(drop[0], drop[1]);
    found.toe_length = both(tips[0], tips[1]);
    found.foot_tip = both(reach[0], reach[1]);
  }

  // How far a joint, or the middle of two, is above the hips with the trunk upright.
  double rise(int first, int second) const {
    if (!actor_.has(first) || !actor_.has(second)) return kUnknown;
    if (rest_) {
      const Vec3 place = (actor_.rest_place(first) + actor_.rest_place(second)) * 0.5;
      const Vec3 hips = (actor_.rest_place(kThigh) + actor_.rest_place(kThigh + kOtherSide)) * 0.5;
      return dot(place - hips, rest_->up);
    }
    std::vector<double> lengths;
    for (const size_t frame : some_) {
      const Vec3 place = (actor_.place(frame, first) + actor_.place(frame, second)) * 0.5;
      lengths.push_back(length(place - middle(frame, kThigh)));
    }
    // Bent trunks are shorter: nearly the longest.
    const auto high = lengths.begin() + (9 * (lengths.size() - 1)) / 10;
    std::nth_element(lengths.begin(), high, lengths.end());
    return *high;
  }

  ActorMotion actor_;
  std::vector<size_t> some_;
  bool exchanged_ = false;
  std::optional<RestFrame> rest_;
};

}  // namespace

std::optional<Vec3> ActorMotion::tip(int bone) const {
  for (const ActorTip& held : tips)
    if (held.joint == bones[bone] && length(held.offset) > 1e-6) return held.offset;
  return {};
}

ActorFigures figure_out(ActorMotion actor) { return Study(std::move(actor)).run(); }

}  // namespace surefoot
