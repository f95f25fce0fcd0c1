#include <bit>

#include "geometry/mesh.hpp"

namespace surefoot {
bool Mesh::surface_overlaps(const Frame& frame, const UprightCylinder& c) const {
  const double middle = 0.5 * (c.bottom + c.top), half = 0.5 * (c.top - c.bottom);
  const Vec3 local = frame.unapply({c.x, c.y, middle});
  if (frame.upright) {
    // The cylinder stays upright in the mesh's frame: test there, and skip nodes by their
    // horizontal distance from the axis.
    const UprightCylinder own{local.x, local.y, c.radius, c.bottom - frame.origin.z,
                              c.top - frame.origin.z};
    const auto x = static_cast<float>(local.x - centre_.x);
    const auto y = static_cast<float>(local.y - centre_.y);
    const auto limit = static_cast<float>(c.radius * c.radius * (1 + 1e-5));
    const auto outside_disc = [&](const Node& node) {
      const Float4 zero = Float4::all(0), px = Float4::all(x), py = Float4::all(y);
      const Float4 dx =
          max(max(Float4::load(node.lo(0)) - px, px - Float4::load(node.hi(0))), zero);
      const Float4 dy =
          max(max(Float4::load(node.lo(1)) - py, py - Float4::load(node.hi(1))), zero);
      return ~less_equal(dx * dx + dy * dy, Float4::all(limit)) & 15u;
    };
    const Vec3 reach{c.radius, c.radius, half};
    return visit({local - reach, local + reach}, outside_disc,
                 [&](const Stored& s) { return overlaps(own, s.triangle); });
  }
  const Vec3 axis = frame.turn.rows[2];  // the world's up, in the mesh's frame
  Vec3 reach;
  for (int i = 0; i < 3; ++i)
    reach[i] = std::abs(axis[i]) * half +
               c.radius * std::sqrt(std::max(0.0, 1.0 - axis[i] * axis[i])) + 1e-9 * c.radius;
  return visit(
      {local - reach, local + reach}, [](const Node&) { return 0u; },
      [&](const Stored& s) {
        const Triangle world{frame.apply(s.triangle.a), frame.apply(s.triangle.b),
                             frame.apply(s.triangle.c)};
        return overlaps(c, world);
      });
}

bool Mesh::surface_overlaps(const Frame& frame, const CapsuleShape& c) const {
  const CapsuleShape own{frame.unapply(c.start), frame.unapply(c.end), c.radius};
  Box box;
  box.include(own.start);
  box.include(own.end);
  const Vec3 reach{c.radius, c.radius, c.radius};
  return visit(
      {box.lo - reach, box.hi + reach}, [](const Node&) { return 0u; },
      [&](const Stored& s) { return overlaps(own, s.triangle); });
}

bool Mesh::encloses(const Frame& frame, Vec3 point) const {
  if (!has_solid_part_) return false;
  const Vec3 p = frame.unapply(point);
  return box_.contains(p) && winding(p) > 0;
}

// How often solid parts wind around the point: outward faces above count one each, inward
// faces take one away.
int Mesh::winding(Vec3 p) const {
  int count = 0;
  visit(
      {p, {p.x, p.y, kInfinity}}, [](const Node&) { return 0u; },
      [&](const Stored& s) {
        if (s.bounds_solid && vertical_line_crosses(p.x, p.y, s.triangle)) {
          const double up = s.triangle.area_normal().z;
          if (up != 0 && plane_height(p.x, p.y, s.triangle) > p.z) count += up > 0 ? 1 : -1;
        }
        return false;
      });
  return count;
}

MeshHit Mesh::ray(const Frame& frame, Vec3 origin, Vec3 direction, double max_distance) const {
  const Vec3 o = frame.unapply(origin), d = frame.turn.back(direction);
  MeshHit best;
  best.distance = max_distance;

  // Enter the box in double precision first: what is left fits floats however far the origin.
  // The pad keeps the box's own rim inside.
  const double pad = 1e-9 * (1 + radius_);
  double enter = 0, leave = max_distance;
  Vec3 inverse;
  for (int axis = 0; axis < 3; ++axis) {
    const double di = std::abs(d[axis]) > 1e-18 ? d[axis] : std::copysign(1e-18, d[axis]);
    inverse[axis] = 1.0 / di;
    const double t0 = (box_.lo[axis] - pad - o[axis]) * inverse[axis];
    const double t1 = (box_.hi[axis] + pad - o[axis]) * inverse[axis];
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  const double slack = 1e-9 * (1 + std::abs(enter));
  if (enter > leave + slack) return {};
  enter = std::max(0.0, enter - slack);

  const Vec3 start = o + d * enter - centre_;
  const Float4 sx = Float4::all(static_cast<float>(start.x));
  const Float4 sy = Float4::all(static_cast<float>(start.y));
  const Float4 sz = Float4::all(static_cast<float>(start.z));
  const Float4 ix = Float4::all(static_cast<float>(inverse.x));
  const Float4 iy = Float4::all(static_cast<float>(inverse.y));
  const Float4 iz = Float4::all(static_cast<float>(inverse.z));
  // Which planes of a box the ray meets first and last, by axis.
  const int near_x = inverse.x < 0 ? 3 : 0, far_x = 3 - near_x;
  const int near_y = inverse.y < 0 ? 4 : 1, far_y = 5 - near_y;
  const int near_z = inverse.z < 0 ? 5 : 2, far_z = 7 - near_z;
  const auto limit = [&] { return static_cast<float>((best.distance - enter) * (1 + 1e-6)); };

  struct Entry {
    int32_t child;
    float near;
  };
  Entry stack[256];
  int size = 0;
  float reach = limit();
  const Triangle* hit_triangle = nullptr;
  Entry entry{0, 0.f};
  for (bool more = true; more;) {
    if (entry.child < 0) {
      const Stored* item = &stored_[leaf_first(entry.child)];
      for (int k = leaf_count(entry.child); k > 0; --k, ++item) {
        const double distance = ray_distance(o, d, item->triangle);
        if (distance == kInfinity || distance > best.distance) continue;
        const MeshHit hit{distance, item->index, {}, {}};
        if (hit.better_than(best)) {
          best = hit;
          hit_triangle = &item->triangle;
        }
      }
      reach = limit();
    } else {
      const Node& node = nodes_[entry.child];
      const auto meet = [&](int plane, Float4 from, Float4 scale) {
        return (Float4::load(node.planes[plane]) - from) * scale;
      };
      const Float4 near = max(max(meet(near_x, sx, ix), meet(near_y, sy, iy)),
                              max(meet(near_z, sz, iz), Float4::all(0)));
      const Float4 far = min(min(meet(far_x, sx, ix), meet(far_y, sy, iy)),
                             min(meet(far_z, sz, iz), Float4::all(reach)));
      unsigned bits = less_equal(near, far * Float4::all(1.000001f));
      if (bits) {
        float distances[4];
        near.store(distances);
        const int first = std::countr_zero(bits);
        bits &= bits - 1;
        Entry nearest{node.child[first], distances[first]};
        // Go on with the nearest child; the others wait, the farthest at the bottom.
        const int base = size;
        for (; bits; bits &= bits - 1) {
          const int i = std::countr_zero(bits);
          Entry other{node.child[i], distances[i]};
          if (other.near < nearest.near) std::swap(other, nearest);
          int at = size++;
          for (; at > base && stack[at - 1].near < other.near; --at) stack[at] = stack[at - 1];
          stack[at] = other;
        }
        entry = nearest;
        continue;
      }
    }
    // Back to the nearest that waits and can still be first.
    do {
      more = size > 0;
      if (more) entry = stack[--size];
    } while (more && entry.near > reach);
  }
  if (best.triangle < 0) return {};
  best.point = o + d * best.distance;
  best.normal = hit_triangle->area_normal();
  return best;
}

MeshHit Mesh::nearest(const Frame& frame, Vec3 point, double max_distance) const {
  const Vec3 p = frame.unapply(point);
  const Vec3 c = p - centre_;
  const Float4 px = Float4::all(static_cast<float>(c.x));
  const Float4 py = Float4::all(static_cast<float>(c.y));
  const Float4 pz = Float4::all(static_cast<float>(c.z));
  MeshHit best;
  // Squared distances while searching.
  // Rounded up, so that a surface exactly at the distance is not lost to the squaring.
  const double max_square = max_distance * max_distance * (1 + 1e-15);
  best.distance = max_square;

  struct Entry {
    int32_t child;
    float near;
  };
  Entry stack[256];
  int size = 0;
  stack[size++] = {0, 0.f};
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.near > best.distance) continue;
    if (entry.child < 0) {
      const Stored* item = &stored_[leaf_first(entry.child)];
      for (int k = leaf_count(entry.child); k > 0; --k, ++item) {
        const Vec3 q = closest_point(p, item->triangle);
        const MeshHit hit{dot(q - p, q - p), item->index, q, item->triangle.area_normal()};
        if (hit.distance <= max_square && hit.better_than(best)) best = hit;
      }
      continue;
    }
    const Node& node = nodes_[entry.child];
    const Float4 zero = Float4::all(0);
    const Float4 dx = max(max(Float4::load(node.lo(0)) - px, px - Float4::load(node.hi(0))), zero);
    const Float4 dy = max(max(Float4::load(node.lo(1)) - py, py - Float4::load(node.hi(1))), zero);
    const Float4 dz = max(max(Float4::load(node.lo(2)) - pz, pz - Float4::load(node.hi(2))), zero);
    float distances[4];
    ((dx * dx + dy * dy + dz * dz) * Float4::all(0.99999f)).store(distances);
    const int base = size;
    for (int i = 0; i < 4; ++i) {
      if (!(distances[i] <= best.distance) || node.lo(0)[i] > node.hi(0)[i]) continue;
      int at = size++;
      while (at > base && stack[at - 1].near < distances[i]) {
        stack[at] = stack[at - 1];
        --at;
      }
      stack[at] = {node.child[i], distances[i]};
    }
  }
  if (best.triangle < 0) return {};
  best.distance = std::sqrt(best.distance);
  return best;
}

MeshHit Mesh::highest(const Frame& frame, const FootPatch& patch, double bottom, double top) const {
  const double x =
      std::abs(patch.cosine) * patch.half_length + std::abs(patch.sine) * patch.half_width;
  const double y =
      std::abs(patch.sine) * patch.half_length + std::abs(patch.cosine) * patch.half_width;
  const Box box{{patch.x - x, patch.y - y, bottom}, {patch.x + x, patch.y + y, top}};
  MeshHit best;
  best.distance = -kInfinity;
  visit_world_box(frame, box, [&](const Triangle& t, int index) {
    const double height = highest_over(patch, bottom, top, t);
    if (height > best.distance ||
        (height == best.distance && best.triangle >= 0 && index < best.triangle))
      best = {height, index, {}, {}};
    return false;
  });
  return best;
}

}  // namespace surefoot
