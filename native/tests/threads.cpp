// What several threads share: a world that changes while it is asked, and a terrain over it.
// `make tsan-test` looks for races here and in the other tests that ask for several threads.
#include <cmath>

#include "footsteps/terrain.hpp"
#include "tests/scenes.hpp"

namespace surefoot {
namespace {

using testing::Random;

constexpr int kBlocks = 10;  // bodies at rest: ids from 1 on, after the floor

std::shared_ptr<const Mesh> cube(double half) {
  return testing::box({-half, -half, -half}, {half, half, half}).mesh();
}

TrajectoryPtr somewhere(Random& random) {
  return testing::at(Vec3{random.uniform(-6, 6), random.uniform(-6, 6), 0.5});
}

TrajectoryPtr rocking(Random& random) {
  const Vec3 from = random.in_box(4);
  return testing::between(from, from + random.in_box(1), 0, 3, Repeat::kPingPong);
}

// It remembers its last pose, for all threads.
TrajectoryPtr computed(double x) {
  return std::make_shared<FunctionTrajectory>(
      [x](double t) { return Pose{{x, 0.1 * std::sin(t), 2.0}, {}}; }, 0.0, 20.0, 0.2, 0.1);
}

std::shared_ptr<World> made(Random& random) {
  auto world = std::make_shared<World>();
  world->add("floor", testing::box({-20, -20, -1}, {20, 20, 0}).mesh(), testing::at(Vec3{}), true);
  for (int i = 0; i < kBlocks; ++i) world->add("block", cube(0.5), somewhere(random), true);
  for (int i = 0; i < 10; ++i) world->add("mover", cube(0.4), rocking(random), true);
  for (int i = 0; i < 2; ++i) world->add("computed", cube(0.4), computed(i), true);
  return world;
}

// Runs functions on a thread each; the first exception is thrown again.
void at_once(const std::vector<std::function<void()>>& runs) {
  parallel_for(runs.size(), static_cast<int>(runs.size()), 1, {}, [&](size_t first, size_t last) {
    for (size_t i = first; i < last; ++i) runs[i]();
  });
}

TEST(a_world_answers_while_its_bodies_move_come_and_go) {
  Random random(0);
  const auto world = made(random);
  std::vector<Vec3> points;
  std::vector<double> times;
  for (int i = 0; i < 60; ++i)
    points.push_back(random.in_box(6)), times.push_back(random.uniform(0, 10));
  const auto ask = [&] {
    for (int round = 0; round < 8; ++round) {
      std::vector<WorldHit> near(points.size());
      world->nearest(points, times, kInfinity, near, {2, {}});
      for (const WorldHit& hit : near) CHECK(std::isfinite(hit.distance) && hit.body >= 0);
      std::vector<Pose> poses(1);
      world->poses(std::vector<int>{kBlocks + 1}, std::vector<double>{1.5}, poses);
      CHECK(std::isfinite(poses[0].position.x));
    }
  };
  const auto change = [&] {
    Random own(1);
    for (int i = 0; i < 60; ++i) {
      world->move(1 + i % kBlocks, somewhere(own));
      world->move(kBlocks + 1 + i % 10, rocking(own));
      world->remove(world->add("passing", cube(0.3), computed(own.uniform(-5, 5)), true));
    }
  };
  at_once({ask, ask, change});
}

TEST(a_terrain_is_that_of_now_on_every_thread) {
  Random random(2);
  const auto world = made(random);
  footsteps::Terrain terrain(world, {});
  const auto walk = [&](uint64_t seed) {
    return [&world, &terrain, seed] {
      Random own(seed);
      for (int round = 0; round < 20; ++round)
        world->during(0, 1, [&](const BroadPhase::Span& span) {
          terrain.refresh();
          footsteps::Ground ground(terrain, span, {});
          Snapshot view(*world, span);
          for (int i = 0; i < 30; ++i) {
            const double x = own.uniform(-6, 6), y = own.uniform(-6, 6);
            bool blocked = false;
            for (int id = 1; id <= kBlocks; ++id)
              blocked |= view.overlaps(id, 0, {0.3, 1.4, 0, false}, {x, y, 0.36});
            CHECK(ground.walled(x, y, 0, 0.3) == blocked);
          }
          CHECK(terrain.squares() > 0);
        });
    };
  };
  const auto change = [&] {
    Random own(3);
    for (int i = 0; i < 200; ++i) world->move(1 + i % kBlocks, somewhere(own));
  };
  at_once({walk(4), walk(5), walk(6), change});
}

TEST(an_exception_on_any_thread_ends_a_batch) {
  for (const int threads : {1, 4})
    CHECK_THROWS(parallel_for(1000, threads, 1, {},
                              [](size_t first, size_t) {
                                if (first == 17) throw std::runtime_error("item 17");
                              }),
                 "item 17");
}

}  // namespace
}  // namespace surefoot
