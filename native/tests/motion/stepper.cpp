// Steps as they come: feet stay where they were set down, the body gets to where it was planned to,
// and nothing jumps from piece to piece.
#include "motion/stepper.hpp"

#include "tests/bodies.hpp"

namespace surefoot {
namespace {

using namespace testing;

Treading level_ground(double left = 0, double right = 0) {
  Treading ground{};
  ground.height[0] = left, ground.height[1] = right;
  ground.body[0] = ground.body[1] = -1;
  return ground;
}

// A stepper, and the poses of all pieces that it has played.
struct Played60 {
  Reel reel = make_reel();
  Stepper steps{Spot{0, 0, 0, 0, -1}, 0};
  Lowering sinking;
  std::vector<Beat> beats;
  std::vector<double> times;

  void append(int32_t piece, const Spot& to, const Treading& ground = level_ground()) {
    const double begin = steps.until();
    steps.append(reel, piece, to, ground, 0.2, &sinking, nullptr);
    for (double t = begin; t < steps.until() - 1e-9; t += 1.0 / 240) {
      beats.push_back(steps.beat(t));
      times.push_back(t);
    }
  }
  Poses poses(int threads = 1) const {
    Poses out(beats.size());
    const Carriers* none = nullptr;
    play_on(reel, beats, times, {&none, 1}, out.out(), threads, {});
    out.place_joints();
    return out;
  }
};

Spot spot(double x, double y = 0, double z = 0, double yaw = 0) { return {x, y, z, yaw, -1}; }

Played60 walked(const Spot& to, const Treading& ground = level_ground()) {
  Played60 p;
  p.append(0, spot(0));
  p.append(1, to, ground);
  p.append(0, to, level_ground(ground.height[0], ground.height[1]));
  return p;
}

TEST(a_foot_does_not_move_from_landing_to_leaving) {
  each_seed(10, [](Random& random) {
    const Played60 p = walked(spot(kStride + random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1),
                                   0, random.uniform(-0.4, 0.4)));
    const Poses poses = p.poses();
    int stances = 0;
    for (int foot = 0; foot < 2; ++foot) {
      bool stood = false;
      Vec3 where;
      for (size_t i = 0; i < p.beats.size(); ++i) {
        const bool stands = p.beats[i].feet[foot].stands > 0;
        if (stands && !stood) where = poses.ankle(i, foot), ++stances;
        if (stands) CHECK(length(poses.ankle(i, foot) - where) < 1e-6);
        stood = stands;
      }
    }
    CHECK(stances == 4);  // each foot where it began, and where it landed
  });
}

TEST(a_body_ends_where_its_piece_was_planned_to) {
  each_seed(10, [](Random& random) {
    const Spot to = spot(kStride + random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0,
                         random.uniform(-0.4, 0.4));
    const Played60 p = walked(to);
    CHECK(p.steps.going().x == to.x && p.steps.going().y == to.y && p.steps.going().yaw == to.yaw);
    const Poses poses = p.poses();
    const size_t last = p.beats.size() - 1;
    // What feet were set down for on the way is a little off by then.
    CHECK(std::hypot(poses.body(last).x - to.x, poses.body(last).y - to.y) < 0.08);
    // Feet stand beside that spot as the clip has them.
    const Frame frame(Pose{{to.x, to.y, 0}, from_rotation_vector({0, 0, to.yaw})});
    const Vec3 left = frame.apply(ankle_over(sole(0, 0)));
    CHECK(length(poses.ankle(last, 0) - left) < 0.12);
  });
  // As the clip goes by itself there is nothing to make up for.
  const Played60 p = walked(spot(kStride));
  const Poses poses = p.poses();
  const size_t last = p.beats.size() - 1;
  CHECK(std::hypot(poses.body(last).x - kStride, poses.body(last).y) < 1e-6);
  CHECK(length(poses.ankle(last, 0) - ankle_over(sole(0, kStride))) < 1e-6);
}

TEST(feet_come_down_at_the_height_of_the_ground) {
  for (const double rise : {-0.15, 0.0, 0.12}) {
    const Played60 p = walked(spot(kStride, 0, rise), level_ground(rise, rise));
    const Poses poses = p.poses();
    const size_t last = p.beats.size() - 1;
    for (int foot = 0; foot < 2; ++foot)
      CHECK_NEAR(poses.ankle(last, foot).z, rise + body_shape().ankle_height, 1e-6);
    CHECK_NEAR(poses.ankle(0, 0).z, body_shape().ankle_height, 1e-6);
  }
}

TEST(nothing_jumps_from_piece_to_piece) {
  for (const double rise : {0.0, 0.1}) {
    const Played60 p = walked(spot(kStride + 0.05, 0.05, rise, 0.2), level_ground(rise, rise));
    const Poses poses = p.poses();
    for (size_t i = 0; i + 1 < p.beats.size(); ++i) {
      CHECK(length(poses.body(i + 1) - poses.body(i)) < 0.01);  // 2.4 m/s
      for (int foot = 0; foot < 2; ++foot)
        CHECK(length(poses.ankle(i + 1, foot) - poses.ankle(i, foot)) < 0.025);  // 6 m/s
    }
  }
}

TEST(beats_follow_each_other_without_a_gap) {
  Played60 p;
  p.append(0, spot(0));
  p.append(1, spot(kStride));
  for (double t = 0.5; t < 2.5 - 1e-6; t += 0.01) {
    const Beat& beat = p.steps.beat(t);
    CHECK(beat.start <= t + 1e-9 && t < beat.end + 1e-9);
    CHECK(beat.end - beat.start <= 0.4 + 1e-9);
  }
  const Beat& rest = p.steps.beat(100);
  CHECK(rest.start == p.steps.until() && rest.end == kNever);
}

TEST(a_piece_at_double_speed_takes_half_the_time) {
  Reel reel = make_reel();
  reel.pieces.push_back({1, 0, 2, 2, false, 0.2});
  for (const int32_t piece : {1, 2}) {
    Stepper steps(spot(0), 3);
    steps.append(reel, piece, spot(kStride), level_ground(), 0, nullptr, nullptr);
    CHECK_NEAR(steps.until(), piece == 1 ? 5 : 4, 1e-12);
  }
}

TEST(a_body_that_waits_rests_until_its_next_piece) {
  Played60 p = walked(spot(kStride));
  const double end = p.steps.until();
  p.steps.wait(end + 2);
  const Beat rest = p.steps.beat(end + 1);
  CHECK(rest.feet[0].stands > 0 && rest.feet[1].stands > 0);
  p.append(0, spot(kStride));
  CHECK_NEAR(p.steps.until(), end + 2.5, 1e-9);
}

TEST(a_stepper_goes_on_from_what_was_kept_of_it) {
  Played60 p;
  p.append(0, spot(0));
  Stepper whole = p.steps, kept = p.steps.kept();
  for (Stepper* one : {&whole, &kept})
    one->append(p.reel, 1, spot(kStride), level_ground(), 0.2, nullptr, nullptr);
  for (double t = 0.5; t < 2.5; t += 0.05) {
    const Beat &a = whole.beat(t), &b = kept.beat(t);
    const auto *x = reinterpret_cast<const double*>(&a), *y = reinterpret_cast<const double*>(&b);
    for (int k = 0; k < kBeatColumns; ++k)
      CHECK(x[k] == y[k] || (std::isnan(x[k]) && std::isnan(y[k])));
  }
}

TEST(played_steps_have_the_same_bits_on_any_number_of_threads) {
  const Played60 p = walked(spot(kStride + 0.1, 0.1, 0.05, 0.3), level_ground(0.05, 0.05));
  const Poses one = p.poses(1);
  CHECK(p.poses(3) == one);
  CHECK(p.poses(8) == one);
}

TEST(a_reel_whose_parts_do_not_fit_is_refused) {
  const Reel good = make_reel();
  good.check();
  const auto check = [&](auto change) {
    Reel reel = good;
    change(reel);
    reel.check();
    return 0;
  };
  CHECK_THROWS(check([](Reel& r) { r.local.pop_back(); }), "local has");
  CHECK_THROWS(check([](Reel& r) { r.root[5] = std::nan(""); }), "root[5] is nan");
  CHECK_THROWS(check([](Reel& r) { r.takes[1].first = 1e9; }),
               "frames that the reel does not have");
  CHECK_THROWS(check([](Reel& r) { r.takes[1].x.clear(); }), "at least one frame");
  CHECK_THROWS(check([](Reel& r) { r.pieces[0].take = 2; }), "the take of a piece is 2");
  CHECK_THROWS(check([](Reel& r) { r.pieces[0].speed = 0; }), "at a speed above 0");
  CHECK_THROWS(check([](Reel& r) { r.takes[0].rate = 0; }), "rate is 0");
  CHECK_THROWS(check([](Reel& r) { r.shape.joints = 20; }), "a joint of a leg is 20");
  CHECK_THROWS(check([](Reel& r) { r.shape.legs[0].shin = -1; }), "a joint of a leg is -1");
}

}  // namespace
}  // namespace surefoot
