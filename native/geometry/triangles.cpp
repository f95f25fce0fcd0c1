#include "geometry/triangles.hpp"

namespace surefoot {
namespace {

// A convex polygon clipped from a triangle: each plane adds at most one corner.
struct Polygon {
  std::array<Vec3, 10> corners;
  int count = 0;

  void push(Vec3 p) { corners[count++] = p; }
};

// The part where height(p) >= 0, for a linear function given by its values.
template <class Height>
Polygon clip(const Polygon& in, Height height) {
  Polygon out;
  for (int i = 0; i < in.count; ++i) {
    const Vec3 p = in.corners[i], q = in.corners[i + 1 == in.count ? 0 : i + 1];
    const double hp = height(p), hq = height(q);
    if (hp >= 0) out.push(p);
    if ((hp > 0 && hq < 0) || (hp < 0 && hq > 0)) out.push(p + (q - p) * (hp / (hp - hq)));
  }
  return out;
}

Polygon polygon(const Triangle& t) {
  Polygon p;
  p.push(t.a);
  p.push(t.b);
  p.push(t.c);
  return p;
}

double squared_distance_2d(double x, double y, Vec3 p, Vec3 q) {
  const double dx = q.x - p.x, dy = q.y - p.y;
  const double square = dx * dx + dy * dy;
  double s = square > 0 ? ((x - p.x) * dx + (y - p.y) * dy) / square : 0.0;
  s = std::clamp(s, 0.0, 1.0);
  const double ex = p.x + s * dx - x, ey = p.y + s * dy - y;
  return ex * ex + ey * ey;
}

// Twice the signed area of (p, q, (x, y)), seen from above.
double side(double x, double y, Vec3 p, Vec3 q) {
  return (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
}

double squared_distance_segments(Vec3 p1, Vec3 q1, Vec3 p2, Vec3 q2) {
  const Vec3 d1 = q1 - p1, d2 = q2 - p2, r = p1 - p2;
  const double a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
  double s = 0, t = 0;
  if (a <= 0 && e <= 0) return dot(r, r);
  if (a <= 0) {
    t = std::clamp(f / e, 0.0, 1.0);
  } else {
    const double c = dot(d1, r);
    if (e <= 0) {
      s = std::clamp(-c / a, 0.0, 1.0);
    } else {
      const double b = dot(d1, d2), denominator = a * e - b * b;
      if (denominator > 0) s = std::clamp((b * f - c * e) / denominator, 0.0, 1.0);
      t = (b * s + f) / e;
      if (t < 0) {
        t = 0;
        s = std::clamp(-c / a, 0.0, 1.0);
      } else if (t > 1) {
        t = 1;
        s = std::clamp((b - c) / a, 0.0, 1.0);
      }
    }
  }
  const Vec3 gap = (p1 + d1 * s) - (p2 + d2 * t);
  return dot(gap, gap);
}

}  // namespace

bool overlaps(const UprightCylinder& c, const Triangle& t) {
  const double lowest = std::min({t.a.z, t.b.z, t.c.z});
  const double highest = std::max({t.a.z, t.b.z, t.c.z});
  if (lowest >= c.top || highest <= c.bottom) return false;

  Polygon part = polygon(t);
  if (lowest < c.bottom) part = clip(part, [&](Vec3 p) { return p.z - c.bottom; });
  if (highest > c.top) part = clip(part, [&](Vec3 p) { return c.top - p.z; });
  if (part.count == 0) return false;

  // Seen from above: the axis is inside the polygon, or an edge is closer than the radius.
  const double limit = c.radius * c.radius;
  bool left = false, right = false;
  for (int i = 0; i < part.count; ++i) {
    const Vec3 p = part.corners[i], q = part.corners[i + 1 == part.count ? 0 : i + 1];
    if (squared_distance_2d(c.x, c.y, p, q) < limit) return true;
    const double turn = side(c.x, c.y, p, q);
    left |= turn > 0;
    right |= turn < 0;
  }
  return limit > 0 && left != right;
}

double segment_triangle_squared_distance(Vec3 start, Vec3 end, const Triangle& t) {
  const Vec3 normal = t.area_normal();
  const double hs = dot(normal, start - t.a), he = dot(normal, end - t.a);
  if ((hs > 0) != (he > 0)) {
    const Vec3 p = start + (end - start) * (hs / (hs - he));
    const double u = dot(normal, cross(t.b - t.a, p - t.a));
    const double v = dot(normal, cross(t.c - t.b, p - t.b));
    const double w = dot(normal, cross(t.a - t.c, p - t.c));
    if (u >= 0 && v >= 0 && w >= 0) return 0;
  }
  const Vec3 near_start = closest_point(start, t) - start, near_end = closest_point(end, t) - end;
  double best = std::min(dot(near_start, near_start), dot(near_end, near_end));
  best = std::min(best, squared_distance_segments(start, end, t.a, t.b));
  best = std::min(best, squared_distance_segments(start, end, t.b, t.c));
  return std::min(best, squared_distance_segments(start, end, t.c, t.a));
}

bool overlaps(const CapsuleShape& capsule, const Triangle& triangle) {
  return segment_triangle_squared_distance(capsule.start, capsule.end, triangle) <
         capsule.radius * capsule.radius;
}

Vec3 closest_point(Vec3 p, const Triangle& t) {
  // Which corner, edge or face region the point projects to.
  const Vec3 ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return t.a;
  const Vec3 bp = p - t.b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return t.b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return t.a + ab * (d1 / (d1 - d3));
  const Vec3 cp = p - t.c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return t.c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return t.a + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return t.b + (t.c - t.b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const double scale = 1.0 / (va + vb + vc);
  return t.a + ab * (vb * scale) + ac * (vc * scale);
}

double highest_over(const FootPatch& f, double bottom, double top, const Triangle& t) {
  const auto along = [&](Vec3 p) { return (p.x - f.x) * f.cosine + (p.y - f.y) * f.sine; };
  const auto across = [&](Vec3 p) { return (p.y - f.y) * f.cosine - (p.x - f.x) * f.sine; };
  Polygon part = polygon(t);
  part = clip(part, [&](Vec3 p) { return f.half_length - along(p); });
  part = clip(part, [&](Vec3 p) { return f.half_length + along(p); });
  part = clip(part, [&](Vec3 p) { return f.half_width - across(p); });
  part = clip(part, [&](Vec3 p) { return f.half_width + across(p); });
  part = clip(part, [&](Vec3 p) { return top - p.z; });
  part = clip(part, [&](Vec3 p) { return p.z - bottom; });
  double highest = -kInfinity;
  for (int i = 0; i < part.count; ++i) highest = std::max(highest, part.corners[i].z);
  return highest;
}

bool vertical_line_crosses(double x, double y, const Triangle& t) {
  // An edge is always evaluated in the same order of its ends, whichever triangle asks: both
  // neighbours then see the same rounded value and agree on which of them is crossed.
  const auto crossed = [&](Vec3 p, Vec3 q) {
    if (q.y < p.y || (q.y == p.y && q.x < p.x)) std::swap(p, q);
    return (p.y > y) != (q.y > y) && side(x, y, p, q) > 0;
  };
  return (crossed(t.a, t.b) != crossed(t.b, t.c)) != crossed(t.c, t.a);
}

double plane_height(double x, double y, const Triangle& t) {
  const Vec3 n = t.area_normal();
  return t.a.z - (n.x * (x - t.a.x) + n.y * (y - t.a.y)) / n.z;
}

double horizontal_distance(double x, double y, Vec3 from, Vec3 to) {
  return std::sqrt(squared_distance_2d(x, y, from, to));
}

double horizontal_margin(double x, double y, const Triangle& t) {
  const double area = side(t.c.x, t.c.y, t.a, t.b);
  const double sign = area < 0 ? -1.0 : 1.0;
  const auto inside = [&](Vec3 p, Vec3 q) {
    const double edge = std::hypot(q.x - p.x, q.y - p.y);
    return edge > 0 ? sign * side(x, y, p, q) / edge : 0.0;
  };
  return std::min({inside(t.a, t.b), inside(t.b, t.c), inside(t.c, t.a)});
}

}  // namespace surefoot
