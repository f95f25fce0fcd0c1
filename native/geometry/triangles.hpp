// Exact tests between one triangle and the shapes that characters are made of.
// "Exact" means closed-form in double precision; touching does not count as overlap.
#pragma once

#include "geometry/vec.hpp"

namespace surefoot {

struct Triangle {
  Vec3 a, b, c;

  // Twice the area, along the side that counter-clockwise order faces.
  Vec3 area_normal() const { return cross(b - a, c - a); }
};

// An upright cylinder: a disc about (x, y) from `bottom` to `top`.
struct UprightCylinder {
  double x, y, radius, bottom, top;
};

// All points closer than `radius` to the segment from `start` to `end`.
struct CapsuleShape {
  Vec3 start, end;
  double radius;
};

// A rectangle on the ground plane: centre, half sizes and the direction of its length.
struct FootPatch {
  double x, y, half_length, half_width, cosine, sine;
};

bool overlaps(const UprightCylinder& cylinder, const Triangle& triangle);
bool overlaps(const CapsuleShape& capsule, const Triangle& triangle);

// Squared distance between a segment and a triangle.
double segment_triangle_squared_distance(Vec3 start, Vec3 end, const Triangle& triangle);

Vec3 closest_point(Vec3 point, const Triangle& triangle);

// Distance along the unit direction to the triangle, or infinity. Edges count as inside by a
// relative 1e-12, so that no ray slips between two triangles that share an edge.
inline double ray_distance(Vec3 origin, Vec3 direction, const Triangle& t) {
  constexpr double kEdge = 1e-12;
  const Vec3 ab = t.b - t.a, ac = t.c - t.a;
  const Vec3 across = cross(direction, ac);
  const double determinant = dot(ab, across);
  // Along the triangle's plane (to 1e-9 rad) nothing is hit: what the division would give then is
  // mostly rounding.
  if (determinant * determinant <= 1e-18 * dot(ab, ab) * dot(ac, ac)) return kInfinity;
  const double scale = 1.0 / determinant;
  const Vec3 from = origin - t.a;
  const double u = dot(from, across) * scale;
  if (!(u >= -kEdge && u <= 1 + kEdge)) return kInfinity;
  const Vec3 other = cross(from, ab);
  const double v = dot(direction, other) * scale;
  if (!(v >= -kEdge && u + v <= 1 + kEdge)) return kInfinity;
  const double distance = dot(ac, other) * scale;
  return distance >= 0 ? distance : kInfinity;
}

// The highest point of the triangle over the patch and between two heights, or -infinity.
double highest_over(const FootPatch& patch, double bottom, double top, const Triangle& triangle);

// Whether the vertical line through (x, y) crosses the triangle. Of the triangles around a
// shared edge or corner exactly one per layer says yes, so crossings can be counted.
bool vertical_line_crosses(double x, double y, const Triangle& triangle);

// Height of the triangle's plane at (x, y); the triangle must not be vertical.
double plane_height(double x, double y, const Triangle& triangle);

// Horizontal distance from (x, y) to a segment.
double horizontal_distance(double x, double y, Vec3 from, Vec3 to);

// Horizontal distance from (x, y) to the nearest edge, negative outside the triangle.
double horizontal_margin(double x, double y, const Triangle& triangle);

}  // namespace surefoot
