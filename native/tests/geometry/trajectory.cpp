// Trajectories: bounds on motion hold, velocities are those of the poses, and keys that cannot be
// are refused.
#include "geometry/trajectory.hpp"

#include <algorithm>

#include "tests/scenes.hpp"

namespace surefoot {
namespace {

using namespace testing;

constexpr Interpolation kKinds[] = {Interpolation::kLinear, Interpolation::kStep,
                                    Interpolation::kCubic};
constexpr Repeat kRepeats[] = {Repeat::kOnce, Repeat::kLoop, Repeat::kPingPong};

// Whether motion from one time to another stays within its bound. Either may be a jump: which pose
// holds there is known to within rounding, so both ends stay clear of it.
void check_travel(const Trajectory& t, double from, double to) {
  const Travel bound = t.travel(from, to);
  if (to - from < 1e-6) return;
  const Pose a = t.pose(from + 1e-8), b = t.pose(to - 1e-8);
  for (int axis = 0; axis < 3; ++axis)
    CHECK(std::abs(b.position[axis] - a.position[axis]) <= bound.shift[axis] + 1e-9);
  CHECK(apart(a.rotation, b.rotation) <= bound.turn + 1e-9);
}

TEST(a_keyframed_body_is_at_its_keys) {
  each_seed(30, [](Random& random) {
    Channel<Vec3> positions;
    Channel<Quat> rotations;
    for (int i = 0; i < 5; ++i) {
      positions.times.push_back(i * 1.5);
      positions.values.push_back(random.in_box(3));
      rotations.times.push_back(i * 1.5);
      rotations.values.push_back(random.rotation());
    }
    const KeyframedTrajectory t(positions, rotations, Repeat::kOnce, 0, 6);
    for (size_t i = 0; i < 5; ++i) {
      const Pose pose = t.pose(positions.times[i]);
      CHECK(same(pose.position, positions.values[i], 1e-12));
      CHECK(apart(pose.rotation, rotations.values[i]) < 1e-7);
      // Half-way on the straight line.
      if (i + 1 < 5)
        CHECK(same(t.pose(positions.times[i] + 0.75).position,
                   (positions.values[i] + positions.values[i + 1]) * 0.5, 1e-12));
    }
    CHECK(same(t.pose(-100).position, positions.values[0], 0));
    CHECK(same(t.pose(100).position, positions.values[4], 0));
  });
}

TEST(motion_between_two_times_stays_within_its_bound) {
  for (const Interpolation kind : kKinds)
    for (const Repeat repeat : kRepeats)
      each_seed(15, [&](Random& random) {
        const auto t = random_keys(random, kind, repeat);
        for (int i = 0; i < 40; ++i) {
          const double from = random.uniform(-10, 20), to = from + random.uniform(0, 3);
          std::vector<double> cuts{from, to};
          t->jumps(from, to, cuts);
          std::sort(cuts.begin(), cuts.end());
          for (size_t k = 0; k + 1 < cuts.size(); ++k) check_travel(*t, cuts[k], cuts[k + 1]);
        }
      });
}

TEST(a_pose_changes_suddenly_at_stated_jumps_alone) {
  for (const Interpolation kind : kKinds)
    for (const Repeat repeat : kRepeats)
      each_seed(10, [&](Random& random) {
        const auto t = random_keys(random, kind, repeat);
        std::vector<double> jumps;
        t->jumps(-5, 15, jumps);
        std::sort(jumps.begin(), jumps.end());
        int seen = 0;
        for (double at = -5; at < 15; at += 1e-3) {
          const double moved = length(t->pose(at + 1e-3).position - t->pose(at).position);
          if (moved < 0.05) continue;
          ++seen;
          const auto next = std::lower_bound(jumps.begin(), jumps.end(), at - 1e-9);
          CHECK(next != jumps.end() && *next <= at + 1e-3 + 1e-9);
        }
        if (kind == Interpolation::kStep || repeat == Repeat::kLoop) CHECK(seen > 0);
      });
}

TEST(velocity_is_the_rate_of_the_pose) {
  for (const Interpolation kind : {Interpolation::kLinear, Interpolation::kCubic})
    for (const Repeat repeat : kRepeats)
      each_seed(15, [&](Random& random) {
        const auto t = random_keys(random, kind, repeat);
        int checked = 0;
        for (int i = 0; i < 60; ++i) {
          const double at = random.uniform(-4, 12), h = 1e-5;
          const Pose a = t->pose(at - h), b = t->pose(at), c = t->pose(at + h);
          // Not where a key or a border of rounds lies between.
          const Vec3 before = (b.position - a.position) * (1 / h),
                     after = (c.position - b.position) * (1 / h);
          if (!same(before, after, 1e-2)) continue;
          ++checked;
          const Twist twist = t->velocity(at);
          CHECK(same(twist.linear, (before + after) * 0.5, 1e-4));
          const Vec3 turn = rotation_vector(c.rotation * conjugate(a.rotation)) * (0.5 / h);
          CHECK(same(twist.angular, turn, 1e-4));
        }
        CHECK(checked > 30);
      });
}

TEST(a_loop_comes_back_after_its_period) {
  for (const Repeat repeat : {Repeat::kLoop, Repeat::kPingPong})
    each_seed(15, [&](Random& random) {
      const auto t = random_keys(random, Interpolation::kLinear, repeat);
      for (int i = 0; i < 20; ++i) {
        const double at = random.uniform(-20, 20);
        CHECK(same(t->pose(at).position, t->pose(at + 3 * t->period()).position, 1e-9));
      }
    });
}

TEST(an_attached_body_goes_with_its_parent) {
  each_seed(25, [](Random& random) {
    const auto parent = random_keys(random, Interpolation::kCubic, Repeat::kOnce);
    const auto child = random_keys(random, Interpolation::kLinear, Repeat::kOnce);
    const AttachedTrajectory both(parent, child);
    for (int i = 0; i < 20; ++i) {
      const double at = random.uniform(-3, 6);
      const Frame outer(parent->pose(at)), inner(child->pose(at)), whole(both.pose(at));
      const Vec3 point = random.in_box(2);
      CHECK(same(whole.apply(point), outer.apply(inner.apply(point)), 1e-9));
      check_travel(both, at, at + random.uniform(0, 2));
    }
  });
}

TEST(an_observed_body_follows_what_was_seen_and_then_the_guess) {
  const TrajectoryPtr past = between({0, 0, 0}, {1, 0, 0}, 0, 1);
  const TrajectoryPtr guess =
      std::make_shared<DriftTrajectory>(1, past->pose(1), Twist{{2, 0, 0}, {}});
  const ObservedTrajectory t(past, guess, 1, 3);
  CHECK_NEAR(t.pose(0.5).position.x, 0.5, 1e-12);
  CHECK_NEAR(t.pose(2).position.x, 3, 1e-12);
  CHECK_NEAR(t.pose(100).position.x, 5, 1e-12);
  CHECK_NEAR(t.velocity(2).linear.x, 2, 1e-12);
  CHECK_NEAR(t.velocity(100).linear.x, 0, 0);
}

TEST(a_function_is_held_to_its_bounds) {
  const auto with = [](double speed) {
    return std::make_shared<FunctionTrajectory>(
        [speed](double t) { return Pose{{speed * t, 0, 0}, {}}; }, 0, 10, 1, 1);
  };
  const auto slow = with(0.9), fast = with(1.1), broken = with(std::nan(""));
  slow->pose(1);
  CHECK_NEAR(slow->pose(2).position.x, 1.8, 1e-12);
  CHECK_NEAR(slow->velocity(5).linear.x, 0.9, 1e-6);
  fast->set_owner("cart");
  fast->pose(1);
  CHECK_THROWS(fast->pose(2), "of body 'cart' breaks its bound");
  CHECK_THROWS(broken->pose(2), "position is (nan, 0, 0)");
}

TEST(a_trajectory_that_cannot_be_is_refused) {
  const auto keys = [](std::vector<double> times, std::vector<Vec3> values,
                       std::vector<Quat> turns = {Quat{}}, double end = 1) {
    Channel<Vec3> positions;
    positions.times = std::move(times), positions.values = std::move(values);
    Channel<Quat> rotations;
    rotations.times = {0}, rotations.values = std::move(turns);
    return KeyframedTrajectory(positions, rotations, Repeat::kOnce, 0, end);
  };
  CHECK_NEAR(keys({0, 1}, {{}, {1, 0, 0}}).pose(1).position.x, 1, 0);
  CHECK_THROWS(keys({0, 0}, {{}, {}}), "times[1] is 0, after 0; they must increase");
  CHECK_THROWS(keys({1, 0}, {{}, {}}), "they must increase");
  CHECK_THROWS(keys({0, std::nan("")}, {{}, {}}), "times[1] is nan");
  CHECK_THROWS(keys({0, 2e9}, {{}, {}}), "times[1] is 2e+09");
  CHECK_THROWS(keys({}, {}), "times must not be empty");
  CHECK_THROWS(keys({0, 1}, {{}}), "positions has 1 entries; times needs 2");
  CHECK_THROWS(keys({0}, {{1e8, 0, 0}}), "positions[0] is (1e+08, 0, 0)");
  CHECK_THROWS(keys({0}, {{}}, {Quat{0, 0, 0, 0}}), "a rotation must be a quaternion of length 1");
  CHECK_THROWS(keys({0}, {{}}, {}), "rotations has 0 entries");
  CHECK_THROWS(keys({0}, {{}}, {Quat{}}, -1), "end is -1");
  CHECK_THROWS(StaticTrajectory({{}, {0, 0, 0, 0}}), "rotation is (0, 0, 0, 0)");
  CHECK_THROWS(StaticTrajectory({{0, kInfinity, 0}, {}}), "position is (0, inf, 0)");
  CHECK_THROWS(DriftTrajectory(0, {}, {{0, 0, kInfinity}, {}}), "linear velocity is inf");
  CHECK_THROWS(FunctionTrajectory([](double) { return Pose{}; }, 1, 1, 1, 1),
               "must be after start");
  CHECK_THROWS(FunctionTrajectory([](double) { return Pose{}; }, 0, 1, -1, 1), "max_speed is -1");
  CHECK_THROWS(AttachedTrajectory(nullptr, at(Vec3{})), "needs a parent and a child");
  CHECK_THROWS(ObservedTrajectory(at(Vec3{}), at(Vec3{}), 2, 1), "horizon is 1");
}

TEST(cubic_rotations_may_not_pass_through_zero) {
  Channel<Vec3> positions;
  positions.times = {0}, positions.values = {{}};
  Channel<Quat> rotations;
  rotations.times = {0, 1}, rotations.values = {{1, 0, 0, 0}, {-1, 0, 0, 0}};
  rotations.in = rotations.out = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  rotations.interpolation = Interpolation::kCubic;
  CHECK_THROWS(KeyframedTrajectory(positions, rotations, Repeat::kOnce, 0, 1), "zero quaternion");
  rotations.in.pop_back();
  CHECK_THROWS(KeyframedTrajectory(positions, rotations, Repeat::kOnce, 0, 1),
               "arriving tangents has 1 entries");
}

}  // namespace
}  // namespace surefoot
