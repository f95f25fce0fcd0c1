// Worlds that move: questions against every body one by one, spans of time against samples, live
// bodies, and questions that cannot be answered.
#include "geometry/world.hpp"

#include "geometry/spans.hpp"
#include "geometry/watched.hpp"
#include "tests/scenes.hpp"

namespace surefoot {
namespace {

using namespace testing;

struct Scene {
  World world;
  std::vector<MeshPtr> meshes;
  std::vector<TrajectoryPtr> trajectories;
  std::vector<bool> solid;

  int add(MeshPtr mesh, TrajectoryPtr trajectory, bool is_solid = true) {
    meshes.push_back(mesh), trajectories.push_back(trajectory), solid.push_back(is_solid);
    return world.add("body " + std::to_string(meshes.size()), mesh, trajectory, is_solid);
  }
};

// Boxes and soups at rest and on the move.
void fill(Scene& scene, Random& random, int bodies) {
  for (int i = 0; i < bodies; ++i) {
    const MeshPtr mesh = random.chance(0.6) ? box(random.in_box(0.3) + Vec3{-0.4, -0.4, -0.4},
                                                  random.in_box(0.3) + Vec3{0.4, 0.4, 0.4})
                                                  .mesh()
                                            : soup(random, 1 + random.below(30), 0.6).mesh();
    if (random.chance(0.4))
      scene.add(mesh, at(random.pose(3)));
    else if (random.chance(0.5))
      scene.add(mesh, random_keys(random, Interpolation::kLinear, Repeat::kPingPong));
    else
      scene.add(mesh,
                std::make_shared<AttachedTrajectory>(
                    random_keys(random, Interpolation::kStep, Repeat::kLoop), at(random.pose(1))));
  }
}

TEST(a_world_answers_as_its_bodies_one_by_one_do) {
  each_seed(25, [](Random& random) {
    Scene scene;
    fill(scene, random, 12);
    constexpr size_t kCount = 60;
    std::vector<Vec3> points, directions;
    std::vector<double> times;
    for (size_t i = 0; i < kCount; ++i) {
      points.push_back(random.in_box(4));
      directions.push_back(random.direction());
      times.push_back(random.uniform(-5, 15));
    }
    std::vector<WorldHit> hits(kCount), near(kCount);
    std::vector<int32_t> met(kCount);
    const Shape shape{0.3, 0.9, 0.1, random.chance(0.5)};
    scene.world.ray(points, directions, times, 20, hits, {});
    scene.world.nearest(points, times, 20, near, {});
    scene.world.overlap(points, times, shape, false, met, {});
    for (size_t i = 0; i < kCount; ++i) {
      double first = kInfinity, nearest = kInfinity;
      int lowest = -1;
      for (size_t k = 0; k < scene.meshes.size(); ++k) {
        const Frame frame(scene.trajectories[k]->pose(times[i]));
        first = std::min(first, scene.meshes[k]->ray(frame, points[i], directions[i], 20).distance);
        nearest = std::min(nearest, scene.meshes[k]->nearest(frame, points[i], 20).distance);
        const CapsuleShape capsule = capsule_of(shape, points[i]);
        const UprightCylinder cylinder{points[i].x, points[i].y, shape.radius,
                                       points[i].z + shape.step, points[i].z + shape.height};
        const Vec3 middle =
            shape.capsule ? capsule.start : Vec3{points[i].x, points[i].y, points[i].z + 0.5};
        const bool touches = (shape.capsule ? scene.meshes[k]->surface_overlaps(frame, capsule)
                                            : scene.meshes[k]->surface_overlaps(frame, cylinder)) ||
                             scene.meshes[k]->encloses(frame, middle);
        if (touches && lowest < 0) lowest = static_cast<int>(k);
      }
      CHECK((hits[i].body >= 0) == (first < kInfinity));
      if (hits[i].body >= 0) CHECK_NEAR(hits[i].distance, first, 1e-9);
      CHECK_NEAR(near[i].distance, nearest, 1e-9);
      CHECK(met[i] == lowest);
    }
  });
}

TEST(answers_have_the_same_bits_for_any_number_of_threads) {
  Random random(3);
  Scene scene;
  fill(scene, random, 10);
  std::vector<Vec3> points(3000), down(3000, {0, 0, -1});
  std::vector<double> times(3000);
  for (Vec3& p : points) p = random.in_box(4);
  for (double& t : times) t = random.uniform(0, 10);
  std::vector<WorldHit> one(3000), many(3000);
  scene.world.ray(points, down, times, kInfinity, one, {1, {}});
  for (const int threads : {2, 3, 8}) {
    scene.world.ray(points, down, times, kInfinity, many, {threads, {}});
    for (size_t i = 0; i < one.size(); ++i)
      CHECK(one[i].body == many[i].body && one[i].triangle == many[i].triangle &&
            one[i].distance == many[i].distance && one[i].point == many[i].point);
  }
}

TEST(a_world_that_was_changed_answers_as_one_made_anew) {
  each_seed(15, [](Random& random) {
    Scene changed;
    fill(changed, random, 10);
    std::vector<Vec3> points(100);
    std::vector<double> times(100);
    for (Vec3& p : points) p = random.in_box(4);
    for (double& t : times) t = random.uniform(0, 10);
    std::vector<WorldHit> before(100), after(100), fresh(100);
    changed.world.nearest(points, times, kInfinity, before, {});
    changed.world.remove(2);
    for (const int id : {0, 5, 7}) {
      changed.trajectories[static_cast<size_t>(id)] =
          random.chance(0.5) ? at(random.pose(3))
                             : random_keys(random, Interpolation::kLinear, Repeat::kOnce);
      changed.world.move(id, changed.trajectories[static_cast<size_t>(id)]);
    }
    changed.world.nearest(points, times, kInfinity, after, {});
    World other;
    for (size_t k = 0; k < changed.meshes.size(); ++k)
      if (k != 2) other.add("", changed.meshes[k], changed.trajectories[k], true);
    other.nearest(points, times, kInfinity, fresh, {});
    for (size_t i = 0; i < points.size(); ++i) CHECK_NEAR(after[i].distance, fresh[i].distance, 0);
  });
}

TEST(ground_under_a_point_is_the_first_below_and_moves_as_its_body) {
  Scene scene;
  scene.add(sheet(-5, -5, 5, 5, 0).mesh(), at(Vec3{}));
  const int lift =
      scene.add(sheet(-1, -1, 1, 1, 0).mesh(), between({0, 0, 0.1}, {0, 0, 1.1}, 0, 10));
  const std::vector<Vec3> points{{0.2, 0.2, 0.7}, {3, 3, 0.2}};
  const std::vector<double> times{5, 5};
  std::vector<Support> found(2);
  scene.world.support(points, times, 0.5, 0.5, found, {});
  CHECK(found[0].body == lift);
  CHECK_NEAR(found[0].height, 0.6, 1e-12);
  CHECK_NEAR(found[0].velocity.z, 0.1, 1e-12);
  CHECK(found[1].body == 0);
  CHECK_NEAR(found[1].height, 0, 1e-12);
  CHECK_NEAR(found[1].normal.z, 1, 1e-12);
}

// Whether a shape can stand at a place at a moment, by what is asked at moments.
bool stands(const World& world, const Standing& standing, Vec3 foot, double t) {
  std::vector<int32_t> met(1);
  std::vector<Support> under(1);
  world.overlap({&foot, 1}, {&t, 1}, standing.shape, true, met, {});
  const double step = standing.shape.step;
  world.support({&foot, 1}, {&t, 1}, step, step, under, {});
  return met[0] < 0 && under[0].body >= 0 &&
         under[0].normal.z >= std::cos(standing.max_slope) - 1e-9;
}

TEST(every_moment_of_a_safe_interval_is_safe_and_no_other_for_long) {
  int inside = 0, outside = 0;
  each_seed(12, [&](Random& random) {
    Scene scene;
    scene.add(sheet(-9, -9, 9, 9, 0).mesh(), at(Vec3{}));
    for (int i = 0; i < 4; ++i) {
      const double y = random.uniform(-2, 2);
      scene.add(box({-0.4, -0.4, 0}, {0.4, 0.4, 1}).mesh(),
                between({-4, y, 0.05}, {4, y, 0.05}, random.uniform(0, 2), random.uniform(5, 9),
                        Repeat::kPingPong));
    }
    const Standing standing{{0.3, 1.8, 0.3, false}, 0.7};
    const Vec3 foot{random.uniform(-3, 3), random.uniform(-2, 2), 0};
    std::vector<Spans> found(1);
    const int world_frame = -1;
    scene.world.safe_intervals({&world_frame, 1}, {&foot, 1}, standing, 0, 20, 1e-3, found, {});
    for (double t = 0.013; t < 20; t += 0.037) {
      bool within = false, near_end = false;
      for (const auto& [from, to] : found[0]) {
        within |= t >= from && t <= to;
        near_end |= std::abs(t - from) < 5e-3 || std::abs(t - to) < 5e-3;
      }
      if (within) CHECK(stands(scene.world, standing, foot, t));
      if (!within && !near_end) CHECK(!stands(scene.world, standing, foot, t));
      (within ? inside : outside) += 1;
    }
  });
  CHECK(inside > 1000 && outside > 100);
}

TEST(a_path_first_touches_when_arithmetic_says_so) {
  Scene scene;
  // A box comes along x at 1 m/s; a cylinder of radius 0.3 moves against it at 0.5 m/s.
  const int cart =
      scene.add(box({-0.5, -0.5, 0}, {0.5, 0.5, 1}).mesh(), between({10, 0, 0}, {0, 0, 0}, 0, 10));
  const std::vector<double> times{0, 10};
  const std::vector<Vec3> way{{0, 0, 0}, {5, 0, 0}}, aside{{0, 2, 0}, {5, 2, 0}};
  const std::vector<TimedPath> paths{{-1, times, way}, {-1, times, aside}};
  std::vector<Contact> found(2);
  scene.world.sweep(paths, {0.3, 1.8, 0.1, false}, 1e-4, found, {});
  CHECK(found[0].body == cart);
  CHECK_NEAR(found[0].time, (10 - 0.5 - 0.3) / 1.5, 1e-3);
  CHECK(found[0].time <= (10 - 0.5 - 0.3) / 1.5);
  CHECK(found[1].body == -1 && found[1].time == kInfinity);
}

TEST(who_rides_along_is_not_struck_by_what_carries) {
  Scene scene;
  const TrajectoryPtr way = between({0, 0, 0}, {20, 0, 0}, 0, 10);
  const int deck = scene.add(sheet(-2, -2, 2, 2, 0).mesh(), way);
  scene.add(box({0.8, -0.2, 0}, {1.2, 0.2, 1}).mesh(),
            std::make_shared<AttachedTrajectory>(way, at(Vec3{})));
  const std::vector<double> times{0, 10};
  const std::vector<Vec3> stay{{0, 0, 0.01}, {0, 0, 0.01}}, into{{0, 0, 0.01}, {1, 0, 0.01}};
  const std::vector<TimedPath> paths{{deck, times, stay}, {deck, times, into}};
  std::vector<Contact> found(2);
  scene.world.sweep(paths, {0.3, 1.8, 0.1, false}, 1e-4, found, {});
  CHECK(found[0].body == -1);
  CHECK_NEAR(found[1].time, 5, 1e-2);
}

TEST(a_watched_body_goes_on_as_it_was_seen) {
  const auto world = std::make_shared<World>();
  Feed feed(world, {2, 0.5, 5});
  const int row = feed.watch(0, 0, {{0, 0, 0}, {}});
  world->add("live", box({-1, -1, 0}, {1, 1, 1}).mesh(), feed.trajectory(row), true);
  Seen seen;
  for (int i = 1; i <= 10; ++i) {
    const Pose pose{{0.1 * i, 0, 0}, {}};
    feed.push(0.1 * i, {&row, 1}, {&pose, 1}, {&seen, 1});
    CHECK(seen == Seen::kTaken);
  }
  const TrajectoryPtr live = feed.trajectory(row);
  CHECK_NEAR(live->pose(0.45).position.x, 0.45, 1e-9);  // as it was seen
  CHECK_NEAR(live->pose(1.5).position.x, 1.5, 1e-9);    // as it is expected
  CHECK_NEAR(live->pose(9).position.x, 3, 1e-9);        // not farther than is looked ahead
  const Pose back{{0, 0, 0}, {}}, far{{100, 0, 0}, {}}, broken{{std::nan(""), 0, 0}, {}};
  feed.push(0.9, {&row, 1}, {&back, 1}, {&seen, 1});
  CHECK(seen == Seen::kLate);
  feed.push(1.1, {&row, 1}, {&broken, 1}, {&seen, 1});
  CHECK(seen == Seen::kNotFinite);
  feed.push(1.2, {&row, 1}, {&far, 1}, {&seen, 1});
  CHECK(seen == Seen::kJumped);
  CHECK_NEAR(feed.trajectory(row)->velocity(1.3).linear.x, 0, 0);
}

TEST(questions_that_cannot_be_answered_are_refused) {
  Scene scene;
  const int id = scene.add(box({-1, -1, 0}, {1, 1, 1}).mesh(), at(Vec3{}));
  World& world = scene.world;
  std::vector<Vec3> points{{0, 0, 3}, {1, 0, 3}}, down{{0, 0, -1}, {0, 0, -1}};
  std::vector<double> times{0, 0};
  std::vector<WorldHit> out(2);
  std::vector<int32_t> met(2);
  world.ray(points, down, times, 10, out, {});
  CHECK(out[0].body == id);
  const auto ray = [&] { world.ray(points, down, times, 10, out, {}); };
  times.pop_back();
  CHECK_THROWS((ray(), 0), "times has 1 entries; origins needs 2");
  times = {0, 1e300};
  CHECK_THROWS((ray(), 0), "times[1] is 1e+300");
  times = {std::nan(""), 0};
  CHECK_THROWS((ray(), 0), "times[0] is nan");
  times = {0, 0};
  down[1] = {};
  CHECK_THROWS((ray(), 0), "directions[1] is (0, 0, 0)");
  down[1] = {0, 0, -1};
  points[1].y = -1e9;
  CHECK_THROWS((ray(), 0), "origins[1] is (1, -1e+09, 3)");
  points[1].y = 0;
  const auto overlap = [&](const Shape& shape, int threads) {
    world.overlap(points, times, shape, true, met, {threads, {}});
    return 0;
  };
  CHECK(overlap({0.3, 1, 0, false}, 1) == 0);
  CHECK_THROWS(overlap({-0.3, 1, 0, false}, 1), "radius is -0.3");
  CHECK_THROWS(overlap({0.3, std::nan(""), 0, false}, 1), "height is nan");
  CHECK_THROWS(overlap({0.3, 1, 0, false}, 0), "threads is 0; it must be from 1 to 1024");
  CHECK_THROWS(overlap({0.3, 1, 0, false}, 1 << 30), "threads is 1073741824");
  CHECK_THROWS((world.remove(7), 0), "id is 7; no body has this id");
  CHECK_THROWS((world.move(-1, at(Vec3{})), 0), "id is -1");
  CHECK_THROWS((world.move(id, nullptr), 0), "needs a trajectory");
  CHECK_THROWS(world.add("none", nullptr, at(Vec3{}), true), "a body needs a mesh");
  std::vector<Pose> poses(1);
  world.remove(id);
  const double now = 0;
  CHECK_THROWS((world.poses({&id, 1}, {&now, 1}, poses), 0), "body is 0; no body has this id");
  std::vector<Spans> spans(1);
  const Vec3 foot;
  const Standing standing{{0.3, 1.8, 0.3, false}, 0.7};
  const auto safe = [&](double start, double end, double tolerance) {
    world.safe_intervals({&id, 1}, {&foot, 1}, standing, start, end, tolerance, spans, {});
    return 0;
  };
  CHECK_THROWS(safe(0, 1, 1e-3), "frame is 0; no body has this id");
  CHECK_THROWS(safe(0, kInfinity, 1e-3), "end is inf");
  CHECK_THROWS(safe(1, 0, 1e-3), "end is 0; it must be from 1");
  CHECK_THROWS(safe(0, 1, 0), "tolerance is 0");
}

TEST(a_feed_checks_its_rows) {
  Feed feed(std::make_shared<World>(), {2, 0.5, 5});
  const Pose pose;
  Seen seen;
  const int row = 3;
  CHECK_THROWS((feed.push(1, {&row, 1}, {&pose, 1}, {&seen, 1}), 0),
               "rows[0] is 3, but there are none");
  CHECK_THROWS(feed.trajectory(0), "row is 0");
  CHECK_THROWS(feed.watch(-1, 0, pose), "body is -1");
  CHECK_THROWS(feed.watch(0, 0, {{}, {0, 0, 0, 0}}), "rotation is (0, 0, 0, 0)");
  CHECK_THROWS(Feed(nullptr, {1, 1, 1}), "a feed needs a world");
  CHECK_THROWS(Feed(std::make_shared<World>(), {1, 0, 1}), "memory is 0");
}

}  // namespace
}  // namespace surefoot
