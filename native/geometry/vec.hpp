// Small vectors, rotations and rigid frames in double precision.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace surefoot {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Vec3 {
  double x = 0, y = 0, z = 0;

  double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }

  friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Vec3 operator*(double s, Vec3 a) { return a * s; }
  friend bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
};

inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 abs(Vec3 a) { return {std::abs(a.x), std::abs(a.y), std::abs(a.z)}; }
inline Vec3 min(Vec3 a, Vec3 b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
inline Vec3 max(Vec3 a, Vec3 b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

// Unit quaternion, scalar first.
struct Quat {
  double w = 1, x = 0, y = 0, z = 0;

  friend Quat operator*(Quat a, Quat b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  friend Quat operator+(Quat a, Quat b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Quat operator*(Quat a, double s) { return {a.w * s, a.x * s, a.y * s, a.z * s}; }
};

inline double dot(Quat a, Quat b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(Quat a) { return std::sqrt(dot(a, a)); }
inline Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }

// Axis times angle of the shortest turn.
inline Vec3 rotation_vector(Quat q) {
  if (q.w < 0) q = q * -1.0;
  const double sine = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  const double scale = sine > 1e-12 ? 2.0 * std::atan2(sine, q.w) / sine : 2.0;
  return {q.x * scale, q.y * scale, q.z * scale};
}

inline Quat from_rotation_vector(Vec3 v) {
  const double angle = length(v);
  const double scale = angle > 1e-9 ? std::sin(angle / 2) / angle : 0.5 - angle * angle / 48;
  return {std::cos(angle / 2), v.x * scale, v.y * scale, v.z * scale};
}

struct Mat3 {
  std::array<Vec3, 3> rows{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

  Vec3 operator*(Vec3 v) const { return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }
  // The transpose times v: the inverse rotation.
  Vec3 back(Vec3 v) const { return rows[0] * v.x + rows[1] * v.y + rows[2] * v.z; }
  // Half-extents of the box around a turned box.
  Vec3 spread(Vec3 half) const {
    return {dot(abs(rows[0]), half), dot(abs(rows[1]), half), dot(abs(rows[2]), half)};
  }
};

inline Mat3 matrix(Quat q) {
  const double w = q.w, x = q.x, y = q.y, z = q.z;
  return {{Vec3{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           Vec3{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           Vec3{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

struct Pose {
  Vec3 position;
  Quat rotation;
};

// A pose made ready for many points.
struct Frame {
  Vec3 origin;
  Mat3 turn;
  bool upright = true;  // the body's own z is the world's z

  Frame() = default;
  explicit Frame(const Pose& pose)
      : origin(pose.position),
        turn(matrix(pose.rotation)),
        upright(pose.rotation.x == 0 && pose.rotation.y == 0) {}

  Vec3 apply(Vec3 p) const { return turn * p + origin; }
  Vec3 unapply(Vec3 p) const { return turn.back(p - origin); }
};

struct Box {
  Vec3 lo{kInfinity, kInfinity, kInfinity};
  Vec3 hi{-kInfinity, -kInfinity, -kInfinity};

  void include(Vec3 p) {
    lo = min(lo, p);
    hi = max(hi, p);
  }
  void include(const Box& b) {
    lo = min(lo, b.lo);
    hi = max(hi, b.hi);
  }
  bool overlaps(const Box& b) const {
    return lo.x <= b.hi.x && b.lo.x <= hi.x && lo.y <= b.hi.y && b.lo.y <= hi.y && lo.z <= b.hi.z &&
           b.lo.z <= hi.z;
  }
  bool contains(Vec3 p) const {
    return lo.x <= p.x && p.x <= hi.x && lo.y <= p.y && p.y <= hi.y && lo.z <= p.z && p.z <= hi.z;
  }
  Vec3 centre() const { return (lo + hi) * 0.5; }
  Vec3 half() const { return (hi - lo) * 0.5; }
  double area() const {
    const Vec3 d = hi - lo;
    return 2 * (d.x * d.y + d.y * d.z + d.z * d.x);
  }
  double squared_distance(Vec3 p) const {
    const Vec3 d = max(max(lo - p, p - hi), Vec3{});
    return dot(d, d);
  }
};

}  // namespace surefoot
