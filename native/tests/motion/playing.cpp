// The player: feet that stand stay where their contacts say, poses are continuous and do not depend
// on each other, and beats that cannot be played are refused.
#include "motion/playing.hpp"

#include "tests/bodies.hpp"

namespace surefoot {
namespace {

using namespace testing;

const LevelFrame kWorld{-1, 0, 0, 0, 0};

Playback clip(const Reel& reel, size_t take, double start, double end) {
  const Take& t = reel.takes[take];
  return {t.first, t.frames, t.rate, 0, 1, start, end, 1, kWorld, kWorld, start, start};
}

// A beat of the walk with both feet in the air.
Beat walking(const Reel& reel) {
  Beat beat{};
  beat.start = 0, beat.end = 2;
  beat.in = beat.out = clip(reel, 1, 0, 2);
  for (FootBeat& foot : beat.feet) {
    foot.body = -1;
    foot.rotation[0] = 1;
    foot.arch_rise = foot.arch_fall = 0.35;
  }
  return beat;
}

void stand(FootBeat& foot, Vec3 at, Quat turn = {}, double body = -1) {
  foot.stands = 1;
  foot.body = body;
  const double position[3] = {at.x, at.y, at.z}, rotation[4] = {turn.w, turn.x, turn.y, turn.z};
  std::copy(position, position + 3, foot.position);
  std::copy(rotation, rotation + 4, foot.rotation);
  std::copy(position, position + 3, foot.anchor_in);
  std::fill(foot.anchor_out, foot.anchor_out + 3, std::nan(""));
}

// Poses of beats at times; carriers are at rest in the world's frame unless given.
Poses played(const Reel& reel, const std::vector<Beat>& beats, const std::vector<double>& times,
             int threads = 1, const std::vector<double>* bodies = nullptr) {
  std::vector<double> still(7 * kSlots * beats.size(), 0.0);
  for (size_t i = 3; i < still.size(); i += 7) still[i] = 1;
  Poses poses(beats.size());
  play(reel.footage(), reel.shape, beats, times, bodies ? bodies->data() : still.data(),
       poses.out(), threads, {});
  poses.place_joints();
  return poses;
}

std::vector<double> even_times(double from, double to, size_t count) {
  std::vector<double> times;
  for (size_t i = 0; i < count; ++i)
    times.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
  return times;
}

TEST(a_foot_that_stands_stays_on_its_hold_while_the_body_walks_on) {
  const Reel reel = make_reel();
  each_seed(20, [&](Random& random) {
    Beat beat = walking(reel);
    const double yaw = random.uniform(-0.5, 0.5);
    const Quat turn = from_rotation_vector({0, 0, yaw});
    const Vec3 hold = sole(0, random.uniform(0.1, 0.3), random.uniform(-0.1, 0.1));
    stand(beat.feet[0], hold, turn);
    const auto times = even_times(0, 2, 60);
    const Poses poses = played(reel, std::vector<Beat>(60, beat), times);
    for (size_t i = 0; i < 60; ++i) {
      CHECK(length(poses.ankle(i, 0) - ankle_over(hold, turn)) < 1e-9);
      CHECK(length(rotation_vector(poses.turn(i, humanoid::kFoot) * conjugate(turn))) < 1e-6);
      CHECK(poses.contacts[4 * i] == 1 && poses.contacts[4 * i + 1] == 1);
      CHECK(poses.contacts[4 * i + 2] == 0 && poses.contacts[4 * i + 3] == 0);
    }
  });
}

TEST(a_foot_on_a_moving_body_goes_with_it) {
  const Reel reel = make_reel();
  Beat beat = walking(reel);
  const Vec3 hold = sole(0, 0.2);
  stand(beat.feet[0], hold, {}, 0);
  beat.in.begin.body = beat.in.finish.body = beat.out.begin.body = beat.out.finish.body = 0;
  const auto times = even_times(0, 2, 30);
  std::vector<double> bodies;
  std::vector<Frame> frames;
  for (const double t : times) {
    const Pose pose{{t, 2 * t, 0.1 * t}, from_rotation_vector({0, 0, 0.3 * t})};
    frames.emplace_back(pose);
    for (int slot = 0; slot < kSlots; ++slot)
      bodies.insert(bodies.end(),
                    {pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                     pose.rotation.x, pose.rotation.y, pose.rotation.z});
  }
  const Poses riding = played(reel, std::vector<Beat>(30, beat), times, 1, &bodies);
  const Poses still = played(reel, std::vector<Beat>(30, beat), times);
  for (size_t i = 0; i < 30; ++i) {
    CHECK(length(riding.ankle(i, 0) - frames[i].apply(ankle_over(hold))) < 1e-9);
    CHECK(length(riding.body(i) - frames[i].apply(still.body(i))) < 1e-9);
  }
}

TEST(poses_have_the_same_bits_in_any_order_and_on_any_number_of_threads) {
  const Reel reel = make_reel();
  Random random(4);
  std::vector<Beat> beats;
  std::vector<double> times;
  for (int i = 0; i < 500; ++i) {
    Beat beat = walking(reel);
    if (random.chance(0.5)) stand(beat.feet[0], sole(0, random.uniform(0, 0.4)));
    if (random.chance(0.5)) stand(beat.feet[1], sole(1, random.uniform(0, 0.4)));
    beat.blend_duration = random.chance(0.3) ? 1 : 0;
    beats.push_back(beat);
    times.push_back(random.uniform(0, 2));
  }
  const Poses one = played(reel, beats, times);
  for (const int threads : {2, 5, 16}) CHECK(played(reel, beats, times, threads) == one);
  for (size_t i = 0; i < beats.size(); i += 37) {
    const Poses alone = played(reel, {beats[i]}, {times[i]});
    CHECK(std::equal(alone.local.begin(), alone.local.end(),
                     one.local.begin() + static_cast<long>(i * alone.local.size())));
    CHECK(alone.body(0) == one.body(i));
  }
}

TEST(a_pose_changes_little_in_little_time) {
  const Reel reel = make_reel();
  Beat beat = walking(reel);
  stand(beat.feet[0], sole(0, 0.2));
  beat.feet[1].arch_start = 0.5, beat.feet[1].arch_duration = 1, beat.feet[1].arch_height = 0.1;
  beat.out = clip(reel, 0, 0, 1);
  beat.blend_start = 0.2, beat.blend_duration = 0.7;
  const auto times = even_times(0, 2, 2001);
  const Poses poses = played(reel, std::vector<Beat>(2001, beat), times);
  double farthest = 0;
  for (size_t i = 0; i + 1 < 2001; ++i)
    for (int joint = 0; joint < humanoid::kJoints; ++joint)
      farthest = std::max(farthest, length(poses.joint(i + 1, joint) - poses.joint(i, joint)));
  CHECK(farthest < 3e-3);  // 3 m/s
  CHECK(farthest > 1e-5);
}

TEST(rotations_are_of_length_one) {
  const Reel reel = make_reel();
  Beat beat = walking(reel);
  stand(beat.feet[0], sole(0, 0.2), from_rotation_vector({0.2, 0.1, 1}));
  beat.blend_duration = 2;
  const Poses poses = played(reel, std::vector<Beat>(50, beat), even_times(0, 2, 50));
  for (size_t k = 0; k < poses.local.size(); k += 4) {
    const double* q = poses.local.data() + k;
    CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-9);
  }
}

TEST(a_crossfade_begins_as_one_clip_and_ends_as_the_other) {
  const Reel reel = make_reel();
  Beat both = walking(reel), before = walking(reel), after = walking(reel);
  both.out = before.in = before.out = clip(reel, 0, 0, 1);
  both.out.begin.x = both.out.finish.x = before.in.begin.x = before.in.finish.x = 1;
  both.blend_start = 0.5, both.blend_duration = 0.5;
  const std::vector<double> times{0.2, 0.5, 0.75, 1.0, 1.5};
  const Poses mixed = played(reel, std::vector<Beat>(5, both), times);
  const Poses first = played(reel, std::vector<Beat>(5, before), times);
  const Poses last = played(reel, std::vector<Beat>(5, after), times);
  CHECK(length(mixed.body(0) - first.body(0)) < 1e-12);
  CHECK(length(mixed.body(1) - first.body(1)) < 1e-12);
  CHECK(length(mixed.body(2) - (first.body(2) + last.body(2)) * 0.5) < 1e-9);
  CHECK(length(mixed.body(3) - last.body(3)) < 1e-12);
  CHECK(length(mixed.body(4) - last.body(4)) < 1e-12);
}

TEST(a_clip_is_laid_where_its_frame_is) {
  const Reel reel = make_reel();
  const Beat plain = walking(reel);
  Beat moved = plain;
  moved.in.begin = moved.in.finish = {-1, 3, -2, 0.5, 1.2};
  const auto times = even_times(0, 2, 20);
  const Poses here = played(reel, std::vector<Beat>(20, plain), times);
  const Poses there = played(reel, std::vector<Beat>(20, moved), times);
  const Frame frame(Pose{{3, -2, 0.5}, from_rotation_vector({0, 0, 1.2})});
  for (size_t i = 0; i < 20; ++i)
    for (int joint = 0; joint < humanoid::kJoints; ++joint)
      CHECK(length(there.joint(i, joint) - frame.apply(here.joint(i, joint))) < 1e-9);
}

TEST(a_clip_that_halts_comes_to_rest_soon_after_its_end) {
  const Reel reel = make_reel();
  Beat beat = walking(reel);
  beat.in.end = 0.9;
  beat.in.halts = 1;
  const Poses poses = played(reel, std::vector<Beat>(4, beat), {0.9, 1.0, 5, 6});
  CHECK(poses.body(1).x > poses.body(0).x);
  CHECK_NEAR(poses.body(2).x, poses.body(3).x, 1e-9);
  beat.in.halts = 0;
  const Poses on = played(reel, std::vector<Beat>(2, beat), {0.9, 1.4});
  CHECK(on.body(1).x > on.body(0).x + 0.1);
}

TEST(the_pelvis_is_lowered_until_both_feet_reach_the_ground) {
  const Reel reel = make_reel();
  Beat beat = walking(reel);
  stand(beat.feet[0], sole(0, 0)), stand(beat.feet[1], sole(1, 0, -0.15));
  // Anchors as in the clip: the body does not go with the lower foot by itself.
  beat.feet[1].anchor_in[2] = -0.15;
  const Poses poses = played(reel, {beat}, {0});
  CHECK(poses.needed[0] > 0.05);
  CHECK(poses.body(0).z < kHip - 0.05);
  CHECK(length(poses.ankle(0, 0) - ankle_over(sole(0, 0))) < 1e-9);
  CHECK(length(poses.ankle(0, 1) - ankle_over(sole(1, 0, -0.15))) < 1e-9);
}

TEST(a_swing_is_raised_by_its_arch_in_the_middle_alone) {
  const Reel reel = make_reel();
  const Beat plain = walking(reel);
  Beat arched = plain;
  arched.feet[0].arch_start = 0.5, arched.feet[0].arch_duration = 1,
  arched.feet[0].arch_height = 0.12;
  const std::vector<double> times{0.4, 0.5, 1.0, 1.5, 1.7};
  const Poses low = played(reel, std::vector<Beat>(5, plain), times);
  const Poses high = played(reel, std::vector<Beat>(5, arched), times);
  for (size_t i = 0; i < 5; ++i) {
    // The clip's legs are straight: the raised one has room to bend, the others give way a little.
    if (i == 2)
      CHECK_NEAR(high.ankle(i, 0).z, kHip - 2 * kBone + 0.12, 1e-9);
    else
      CHECK(length(high.ankle(i, 0) - low.ankle(i, 0)) < 1e-12);
    CHECK(length(high.ankle(i, 1) - low.ankle(i, 1)) < 1e-12);
  }
}

TEST(an_offset_fades_from_where_a_foot_left_the_ground) {
  const Reel reel = make_reel();
  const Beat plain = walking(reel);
  Beat leaving = plain;
  leaving.feet[1].leave.start = 0.5, leaving.feet[1].leave.duration = 1;
  leaving.feet[1].leave.value[1] = -0.08;
  const auto times = even_times(0.5, 1.5, 21);
  const Poses before = played(reel, std::vector<Beat>(21, plain), times);
  const Poses after = played(reel, std::vector<Beat>(21, leaving), times);
  double last = 0.08 + 1e-9;
  for (size_t i = 0; i < 21; ++i) {
    const double off = before.ankle(i, 1).y - after.ankle(i, 1).y;
    CHECK(off <= last + 1e-9);
    last = off;
    if (i == 0) CHECK_NEAR(off, 0.08, 1e-9);
  }
  CHECK_NEAR(last, 0, 1e-9);
}

TEST(beats_that_cannot_be_played_are_refused) {
  const Reel reel = make_reel();
  const auto play_at = [&](const Beat& beat, double t) {
    played(reel, {beat}, {t});
    return 0;
  };
  const Beat good = walking(reel);
  CHECK(play_at(good, 0) == 0);
  CHECK_THROWS(play_at(good, kInfinity), "times[0] is inf");
  CHECK_THROWS(play_at(good, std::nan("")), "times[0] is nan");
  Beat beat = good;
  beat.in.first = 100;
  CHECK_THROWS(play_at(beat, 0), "the footage has 182");
  beat = good;
  beat.out.frames = 0;
  CHECK_THROWS(play_at(beat, 0), "a beat plays 0 frames");
  beat = good;
  beat.in.first = std::nan("");
  CHECK_THROWS(play_at(beat, 0), "a beat plays");
  beat = good;
  beat.in.speed = kInfinity;
  CHECK_THROWS(play_at(beat, 0), "speed is inf");
  BodyShape shape = body_shape();
  shape.legs[1].toe = 21;
  CHECK_THROWS((check_shape(shape), 0), "a joint of a leg is 21; it must be from 0 to 20");
  shape = body_shape();
  shape.joints = 0;
  CHECK_THROWS((check_shape(shape), 0), "joints is 0");
  Poses poses(1);
  const std::vector<double> times{0, 1}, bodies(7 * kSlots);
  CHECK_THROWS(
      (play(reel.footage(), reel.shape, {&good, 1}, times, bodies.data(), poses.out(), 1, {}), 0),
      "times has 2 entries; beats needs 1");
}

}  // namespace
}  // namespace surefoot
