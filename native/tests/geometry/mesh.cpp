// Meshes: every question against all triangles one by one, and input that is no surface.
#include "geometry/mesh.hpp"

#include "tests/scenes.hpp"

namespace surefoot {
namespace {

using namespace testing;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Triangle in_world(const Frame& frame, const Triangle& t) {
  return {frame.apply(t.a), frame.apply(t.b), frame.apply(t.c)};
}

// A point of a triangle.
Vec3 inside(const Triangle& t, double u, double v) {
  if (u + v > 1) u = 1 - u, v = 1 - v;
  return t.a + (t.b - t.a) * u + (t.c - t.a) * v;
}

TEST(a_ray_meets_the_triangle_that_is_first_of_all) {
  each_seed(40, [](Random& random) {
    const MeshPtr mesh = soup(random, 1 + random.below(200), 3).mesh();
    const Frame frame(random.pose(5));
    int hits = 0;
    for (int i = 0; i < 50; ++i) {
      // Inside a triangle: on an edge rounding decides whether it is hit.
      const Triangle target = mesh->triangle(random.below(mesh->triangle_count()));
      const Vec3 from = random.in_box(12);
      const Vec3 aim =
          frame.apply(inside(target, random.uniform(0.1, 0.4), random.uniform(0.1, 0.4)));
      const Vec3 along = (aim - from) * (1 / length(aim - from));
      const MeshHit found = mesh->ray(frame, from, along, 100);
      double best = kInfinity;
      for (int k = 0; k < mesh->triangle_count(); ++k)
        best = std::min(best, ray_distance(from, along, in_world(frame, mesh->triangle(k))));
      CHECK((found.triangle >= 0) == (best < kInfinity));
      if (found.triangle < 0) continue;
      ++hits;
      CHECK_NEAR(found.distance, best, 1e-9);
      CHECK(same(frame.apply(found.point), from + along * best, 1e-8));
    }
    CHECK(hits > 10);
  });
}

TEST(a_ray_goes_no_farther_than_asked) {
  const MeshPtr wall = box({2, -1, -1}, {3, 1, 1}).mesh();
  const Frame here;
  CHECK(wall->ray(here, {0, 0.1, 0.2}, {1, 0, 0}, 1.99).triangle < 0);
  CHECK_NEAR(wall->ray(here, {0, 0.1, 0.2}, {1, 0, 0}, 2.01).distance, 2, 1e-12);
  CHECK(wall->ray(here, {0, 0.1, 0.2}, {-1, 0, 0}, kInfinity).triangle < 0);
}

TEST(the_nearest_point_is_that_of_all_triangles) {
  each_seed(40, [](Random& random) {
    const MeshPtr mesh = soup(random, 1 + random.below(200), 3).mesh();
    const Frame frame(random.pose(5));
    for (int i = 0; i < 50; ++i) {
      const Vec3 point = random.in_box(9);
      double best = kInfinity;
      for (int k = 0; k < mesh->triangle_count(); ++k)
        best = std::min(best,
                        length(closest_point(point, in_world(frame, mesh->triangle(k))) - point));
      CHECK_NEAR(mesh->nearest(frame, point, kInfinity).distance, best, 1e-9);
      CHECK(mesh->nearest(frame, point, best * 0.999).triangle < 0);
    }
  });
}

TEST(no_point_of_a_triangle_is_nearer_than_the_closest) {
  each_seed(200, [](Random& random) {
    const Triangle t{random.in_box(1), random.in_box(1), random.in_box(1)};
    const Vec3 point = random.in_box(2), closest = closest_point(point, t);
    double sampled = kInfinity;
    for (int i = 0; i < 400; ++i)
      sampled =
          std::min(sampled, length(inside(t, random.uniform(0, 1), random.uniform(0, 1)) - point));
    CHECK(length(closest - point) <= sampled + 1e-12);
    // It is one of the triangle: in its plane, and on the inner side of every edge.
    const Vec3 n = t.area_normal();
    CHECK(std::abs(dot(n, closest - t.a)) <= 1e-9);
    CHECK(dot(n, cross(t.b - t.a, closest - t.a)) >= -1e-9);
    CHECK(dot(n, cross(t.c - t.b, closest - t.b)) >= -1e-9);
    CHECK(dot(n, cross(t.a - t.c, closest - t.c)) >= -1e-9);
  });
}

TEST(a_cylinder_overlaps_where_a_point_of_a_triangle_is_inside) {
  int overlapping = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    context = "seed " + std::to_string(seed);
    const Triangle t{random.in_box(1), random.in_box(1), random.in_box(1)};
    const UprightCylinder c{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(0.1, 0.6),
                            random.uniform(-1, 0), random.uniform(0.1, 1)};
    double deepest = -kInfinity;  // how far inside, about: in metres from the cylinder's surface
    for (int i = 0; i < 3000; ++i) {
      const Vec3 p = inside(t, random.uniform(0, 1), random.uniform(0, 1));
      deepest = std::max(deepest, std::min({c.radius - std::hypot(p.x - c.x, p.y - c.y),
                                            p.z - c.bottom, c.top - p.z}));
    }
    overlapping += overlaps(c, t);
    // Samples that lie 0.05 apart find all but the shallowest overlaps.
    if (deepest > 0) CHECK(overlaps(c, t));
    if (deepest < -0.1) CHECK(!overlaps(c, t));
  }
  CHECK(overlapping > 50 && overlapping < 350);
}

TEST(the_tree_finds_every_overlap) {
  each_seed(40, [](Random& random) {
    const MeshPtr mesh = soup(random, 1 + random.below(150), 2).mesh();
    const bool upright = random.chance(0.5);
    const double yaw = random.uniform(-3, 3);
    const Frame frame(upright ? Pose{random.in_box(1), {std::cos(yaw), 0, 0, std::sin(yaw)}}
                              : random.pose(1));
    for (int i = 0; i < 40; ++i) {
      const UprightCylinder c{random.uniform(-3, 3), random.uniform(-3, 3),
                              random.uniform(0.01, 0.5), random.uniform(-2, 0),
                              random.uniform(0, 2)};
      const CapsuleShape capsule{random.in_box(3), random.in_box(3), random.uniform(0.01, 0.5)};
      bool meets = false, touched = false;
      for (int k = 0; k < mesh->triangle_count(); ++k) {
        const Triangle t = in_world(frame, mesh->triangle(k));
        meets |= overlaps(c, t);
        touched |= overlaps(capsule, t);
      }
      CHECK(mesh->surface_overlaps(frame, c) == meets);
      CHECK(mesh->surface_overlaps(frame, capsule) == touched);
    }
  });
}

TEST(a_segment_is_as_far_from_a_triangle_as_its_nearest_points) {
  each_seed(150, [](Random& random) {
    const Triangle t{random.in_box(1), random.in_box(1), random.in_box(1)};
    const Vec3 a = random.in_box(2), b = random.in_box(2);
    const double found = std::sqrt(segment_triangle_squared_distance(a, b, t));
    double sampled = kInfinity;
    for (int i = 0; i <= 500; ++i) {
      const Vec3 p = a + (b - a) * (i / 500.0);
      sampled = std::min(sampled, length(closest_point(p, t) - p));
    }
    CHECK(found <= sampled + 1e-9);
    CHECK(found >= sampled - length(b - a) / 1000 - 1e-9);
  });
}

TEST(a_box_encloses_what_is_inside_it_however_it_is_turned) {
  const Vec3 lo{-1, -0.5, -0.2}, hi{0.7, 0.9, 1.1};
  const MeshPtr solid = box(lo, hi).mesh();
  CHECK(solid->has_solid_part());
  int within = 0;
  each_seed(40, [&](Random& random) {
    const Frame frame(random.pose(3));
    for (int i = 0; i < 40; ++i) {
      const Vec3 local = random.in_box(1.5);
      const bool expected = Box{lo, hi}.contains(local);
      within += expected;
      CHECK(solid->encloses(frame, frame.apply(local)) == expected);
    }
  });
  CHECK(within > 100);
}

TEST(a_room_is_free_inside_and_a_cavity_too) {
  Surface room = box({-1, -1, -1}, {1, 1, 1});
  for (Mesh::Face& face : room.faces) std::swap(face[0], face[1]);
  const MeshPtr alone = room.mesh();
  CHECK(!alone->has_solid_part());
  CHECK(!alone->encloses(Frame(), {0, 0, 0}));
  // The same inside a larger box that faces outward: only the wall between them is solid.
  Surface hollow = box({-2, -2, -2}, {2, 2, 2});
  for (const Mesh::Face& face : room.faces)
    hollow.faces.push_back({face[0] + 8, face[1] + 8, face[2] + 8});
  hollow.vertices.insert(hollow.vertices.end(), room.vertices.begin(), room.vertices.end());
  const MeshPtr mesh = hollow.mesh();
  CHECK(!mesh->encloses(Frame(), {0.1, 0.2, 0.3}));
  CHECK(mesh->encloses(Frame(), {1.5, 0.2, 0.3}));
}

TEST(a_part_is_closed_until_a_triangle_is_taken_out) {
  Surface s = box({0, 0, 0}, {1, 1, 1});
  const MeshPtr whole = s.mesh();
  for (const uint8_t closed : whole->closed()) CHECK(closed == 1);
  s.faces.pop_back();
  const MeshPtr open = s.mesh();
  for (const uint8_t closed : open->closed()) CHECK(closed == 0);
  CHECK(!open->has_solid_part());
}

TEST(triangles_across_an_edge_are_neighbours_of_each_other) {
  const MeshPtr mesh = box({0, 0, 0}, {1, 2, 3}).mesh();
  for (int k = 0; k < mesh->triangle_count(); ++k)
    for (const int across : mesh->neighbours(k)) {
      CHECK(across >= 0 && across != k);
      const Mesh::Face& back = mesh->neighbours(across);
      CHECK(std::find(back.begin(), back.end(), k) != back.end());
    }
}

TEST(the_highest_point_under_a_foot_is_that_of_samples) {
  each_seed(60, [](Random& random) {
    const MeshPtr mesh = soup(random, 20, 1).mesh();
    const double yaw = random.uniform(-3, 3);
    const FootPatch foot{random.uniform(-0.5, 0.5),
                         random.uniform(-0.5, 0.5),
                         0.3,
                         0.15,
                         std::cos(yaw),
                         std::sin(yaw)};
    const MeshHit found = mesh->highest(Frame(), foot, -0.5, 0.5);
    double sampled = -kInfinity;
    for (int k = 0; k < mesh->triangle_count(); ++k)
      for (int i = 0; i < 2000; ++i) {
        const Vec3 p = inside(mesh->triangle(k), random.uniform(0, 1), random.uniform(0, 1));
        const double along = (p.x - foot.x) * foot.cosine + (p.y - foot.y) * foot.sine;
        const double across = (p.y - foot.y) * foot.cosine - (p.x - foot.x) * foot.sine;
        if (std::abs(along) <= 0.3 && std::abs(across) <= 0.15 && std::abs(p.z) <= 0.5)
          sampled = std::max(sampled, p.z);
      }
    if (sampled == -kInfinity) return;
    CHECK(found.triangle >= 0);
    CHECK(found.distance >= sampled - 1e-9);
    CHECK(found.distance <= std::min(0.5, sampled + 0.2));
  });
}

TEST(any_mesh_of_finite_vertices_has_a_tree) {
  const auto ask = [](const Surface& s) {
    const MeshPtr mesh = s.mesh();
    const Vec3 corner = s.vertices[static_cast<size_t>(s.faces[0][0])];
    mesh->ray(Frame(), corner + Vec3{0, 0, 1}, {0, 0, -1}, 10);
    CHECK_NEAR(mesh->nearest(Frame(), corner, 1).distance, 0, 1e-9);
    mesh->surface_overlaps(Frame(),
                           UprightCylinder{corner.x, corner.y, 1, corner.z - 1, corner.z + 1});
  };
  ask({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  // All on one point, few and many.
  ask({{{3, 4, 5}, {3, 4, 5}, {3, 4, 5}}, {{0, 1, 2}, {0, 0, 0}}});
  ask({{{3, 4, 5}}, std::vector<Mesh::Face>(100000, {0, 0, 0})});
  // The same triangle many times, and extents that hardly exist.
  ask({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, std::vector<Mesh::Face>(5000, {0, 1, 2})});
  const double tiny = 5e-324;
  ask({{{0, 0, 0}, {tiny, 0, 0}, {0, tiny, 0}, {0, 0, tiny}},
       {{0, 1, 2}, {1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {3, 2, 1}}});
  // Small triangles as far apart as can be.
  Surface far;
  for (int i = 0; i < 1000; ++i) {
    const double x = i % 2 ? kMaxCoordinate : -kMaxCoordinate, y = i % 3 ? 0 : kMaxCoordinate;
    far.vertices.insert(far.vertices.end(), {{x, y, 0}, {x, y, 1e-3}, {x, y - 1e-3, 0}});
    far.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  ask(far);
}

TEST(a_mesh_that_is_no_surface_is_refused) {
  const auto with = [](Vec3 corner) {
    return Surface{{{0, 0, 0}, {1, 0, 0}, corner}, {{0, 1, 2}}};
  };
  CHECK_THROWS(with({0, kNan, 0}).mesh(), "vertices[2] is (0, nan, 0)");
  CHECK_THROWS(with({kInfinity, 0, 0}).mesh(), "vertices[2] is (inf, 0, 0)");
  CHECK_THROWS(with({0, 0, -1e308}).mesh(), "at most 1e+07 m from zero");
  CHECK_THROWS(Surface({{{0, 0, 0}}, {}}).mesh(), "at least one triangle");
  Surface s = box({0, 0, 0}, {1, 1, 1});
  s.faces[4][1] = 9;
  CHECK_THROWS(s.mesh(), "faces[4] uses vertex 9; there are 8 vertices");
  s.faces[4][1] = -1;
  CHECK_THROWS(s.mesh(), "faces[4] uses vertex -1");
}

}  // namespace
}  // namespace surefoot
