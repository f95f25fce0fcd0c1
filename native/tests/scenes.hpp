// Meshes and worlds that several tests use.
#pragma once

#include "geometry/world.hpp"
#include "tests/random.hpp"

namespace surefoot::testing {

using MeshPtr = std::shared_ptr<const Mesh>;

struct Surface {
  std::vector<Vec3> vertices;
  std::vector<Mesh::Face> faces;

  MeshPtr mesh() const { return std::make_shared<Mesh>(vertices, faces); }
};

// A closed box that faces outward.
inline Surface box(Vec3 lo, Vec3 hi) {
  Surface s;
  for (int corner = 0; corner < 8; ++corner)
    s.vertices.push_back(
        {corner & 1 ? hi.x : lo.x, corner & 2 ? hi.y : lo.y, corner & 4 ? hi.z : lo.z});
  s.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
             {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return s;
}

// A level sheet that faces up.
inline Surface sheet(double x0, double y0, double x1, double y1, double z) {
  return {{{x0, y0, z}, {x1, y0, z}, {x1, y1, z}, {x0, y1, z}}, {{0, 1, 2}, {0, 2, 3}}};
}

// Triangles of many sizes anywhere.
inline Surface soup(Random& random, int triangles, double half) {
  Surface s;
  for (int i = 0; i < triangles; ++i) {
    const Vec3 centre = random.in_box(half);
    const double size = half * std::pow(10, random.uniform(-3, -0.5));
    for (int corner = 0; corner < 3; ++corner) s.vertices.push_back(centre + random.in_box(size));
    s.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return s;
}

inline TrajectoryPtr at(const Pose& pose) { return std::make_shared<StaticTrajectory>(pose); }
inline TrajectoryPtr at(Vec3 position) { return at(Pose{position, {}}); }

// From one position to another at even speed, and to and fro where it repeats.
inline TrajectoryPtr between(Vec3 from, Vec3 to, double start, double end,
                             Repeat repeat = Repeat::kOnce) {
  Channel<Vec3> positions;
  positions.times = {start, end};
  positions.values = {from, to};
  Channel<Quat> rotations;
  rotations.times = {start};
  rotations.values = {Quat{}};
  return std::make_shared<KeyframedTrajectory>(positions, rotations, repeat, start, end);
}

// Keys of both channels at random times, of one kind of interpolation.
inline std::shared_ptr<KeyframedTrajectory> random_keys(Random& random, Interpolation kind,
                                                        Repeat repeat, int count = 6) {
  Channel<Vec3> positions;
  Channel<Quat> rotations;
  double t = random.uniform(-3, 3);
  Quat turn = random.rotation();
  for (int i = 0; i < count; ++i) {
    positions.times.push_back(t);
    positions.values.push_back(random.in_box(2));
    rotations.values.push_back(turn);
    positions.in.push_back(random.in_box(1));
    positions.out.push_back(random.in_box(1));
    // Small changes keep the mixed quaternions away from zero.
    const Vec3 rate = random.in_box(0.2);
    rotations.in.push_back(Quat{0, rate.x, rate.y, rate.z} * turn);
    rotations.out.push_back(Quat{0, rate.z, rate.x, rate.y} * turn);
    t += random.uniform(0.3, 1.5);
    turn = from_rotation_vector(random.in_box(0.4)) * turn;
  }
  rotations.times = positions.times;
  positions.interpolation = rotations.interpolation = kind;
  const double first = positions.times.front(), last = positions.times.back();
  return std::make_shared<KeyframedTrajectory>(positions, rotations, repeat, first, last);
}

inline bool same(Vec3 a, Vec3 b, double tolerance) { return length(a - b) <= tolerance; }
// The angle between two rotations [rad].
inline double apart(Quat a, Quat b) { return length(rotation_vector(a * conjugate(b))); }

}  // namespace surefoot::testing
