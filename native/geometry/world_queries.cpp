// Queries at one moment each: ray, support, overlap, nearest.
#include "geometry/checks.hpp"
#include "geometry/world.hpp"

namespace surefoot {
namespace {

constexpr size_t kGrain = 256;

// Equal distances go to the lower id, so that results do not depend on the trees.
bool better(double distance, int body, const WorldHit& best) {
  return distance < best.distance ||
         (distance == best.distance && body >= 0 && (best.body < 0 || body < best.body));
}

}  // namespace

void check_shape(const Shape& s) {
  check_size(s.radius, "radius");
  check_size(s.height, "height");
  check_size(s.step, "step");
}

CapsuleShape capsule_of(const Shape& s, Vec3 foot) {
  // The round ends lie inside [step, height]; a capsule too short for them is a sphere.
  const double bottom = foot.z + s.step + s.radius;
  const double top = std::max(bottom, foot.z + s.height - s.radius);
  return {{foot.x, foot.y, bottom}, {foot.x, foot.y, top}, s.radius};
}

Box shape_box(const Shape& s, Vec3 foot) {
  return {{foot.x - s.radius, foot.y - s.radius, foot.z + s.step},
          {foot.x + s.radius, foot.y + s.radius, foot.z + s.height}};
}

bool Snapshot::overlaps(int id, double t, const UprightCylinder& c) {
  const Body& body = bodies_[id];
  const Frame& at = frame(id, t);
  if (body.mesh->surface_overlaps(at, c)) return true;
  return body.solid && body.mesh->encloses(at, {c.x, c.y, 0.5 * (c.bottom + c.top)});
}

bool Snapshot::overlaps(int id, double t, const Shape& s, Vec3 foot) {
  if (!s.capsule)
    return overlaps(id, t,
                    UprightCylinder{foot.x, foot.y, s.radius, foot.z + s.step, foot.z + s.height});
  const Body& body = bodies_[id];
  const Frame& at = frame(id, t);
  const CapsuleShape capsule = capsule_of(s, foot);
  if (body.mesh->surface_overlaps(at, capsule)) return true;
  return body.solid && body.mesh->encloses(at, capsule.start);
}

void Snapshot::finish_hit(WorldHit& hit, double t) {
  if (hit.body < 0) {
    hit.distance = kInfinity;
    return;
  }
  const Frame& at = frame(hit.body, t);
  hit.normal = at.turn * hit.normal * (1.0 / length(hit.normal));
  hit.point = at.apply(hit.point);
}

WorldHit Snapshot::ray(Vec3 origin, Vec3 direction, double t, double max_distance) {
  WorldHit best;
  best.distance = max_distance;
  const auto visitor = [&](int id, double reach) {
    const MeshHit hit = bodies_[id].mesh->ray(frame(id, t), origin, direction, reach);
    if (hit.triangle >= 0 && better(hit.distance, id, best))
      best = {hit.distance, id, hit.triangle, hit.point, hit.normal};
    return best.distance;
  };
  resting_.visit_ray(origin, direction, best.distance, visitor);
  span_.at(t).visit_ray(origin, direction, best.distance, visitor);
  finish_hit(best, t);
  return best;
}

WorldHit Snapshot::nearest(Vec3 point, double t, double max_distance) {
  WorldHit best;
  best.distance = max_distance;
  const auto visitor = [&](int id, double reach) {
    const MeshHit hit = bodies_[id].mesh->nearest(frame(id, t), point, reach);
    if (hit.triangle >= 0 && hit.distance <= max_distance && better(hit.distance, id, best))
      best = {hit.distance, id, hit.triangle, hit.point, hit.normal};
    return best.distance;
  };
  resting_.visit_near(point, best.distance, visitor);
  span_.at(t).visit_near(point, best.distance, visitor);
  finish_hit(best, t);
  return best;
}

Vec3 Snapshot::surface_velocity(int id, Vec3 point, double t) const {
  const Body& body = bodies_[id];
  if (!body.moving) return {};
  const Twist twist = body.trajectory->velocity(t);
  return twist.linear + cross(twist.angular, point - body.trajectory->pose(t).position);
}

Support Snapshot::support(Vec3 point, double t, double up, double down) {
  // As a ray, but found by the column it runs through, which costs less than following it.
  const double rim = 1e-9 * (1 + std::max(std::abs(point.x), std::abs(point.y)));
  const double sill = 1e-9 * (1 + std::abs(point.z) + up + down);
  const Box column{{point.x - rim, point.y - rim, point.z - down - sill},
                   {point.x + rim, point.y + rim, point.z + up + sill}};
  const Vec3 from = point + Vec3{0, 0, up};
  WorldHit hit;
  hit.distance = up + down;
  visit(column, t, [&](int id) {
    const MeshHit found = bodies_[id].mesh->ray(frame(id, t), from, {0, 0, -1}, hit.distance);
    if (found.triangle >= 0 && better(found.distance, id, hit))
      hit = {found.distance, id, found.triangle, found.point, found.normal};
    return false;
  });
  finish_hit(hit, t);
  Support s;
  if (hit.body < 0) return s;
  s.height = point.z + up - hit.distance;
  s.body = hit.body;
  s.triangle = hit.triangle;
  s.normal = hit.normal.z < 0 ? -hit.normal : hit.normal;
  s.velocity = surface_velocity(hit.body, {point.x, point.y, s.height}, t);
  s.coverage = 1;
  return s;
}

Support Snapshot::foot_support(const FootPatch& patch, double z, double t, double up, double down,
                               double sole_gap) {
  const double x =
      std::abs(patch.cosine) * patch.half_length + std::abs(patch.sine) * patch.half_width;
  const double y =
      std::abs(patch.sine) * patch.half_length + std::abs(patch.cosine) * patch.half_width;
  const Box box{{patch.x - x, patch.y - y, z - down}, {patch.x + x, patch.y + y, z + up}};
  Support s;
  visit(box, t, [&](int id) {
    const MeshHit hit = bodies_[id].mesh->highest(frame(id, t), patch, z - down, z + up);
    if (hit.triangle >= 0 &&
        (hit.distance > s.height || (hit.distance == s.height && id < s.body))) {
      s.height = hit.distance;
      s.body = id;
      s.triangle = hit.triangle;
    }
    return false;
  });
  if (s.body < 0) return s;
  const Vec3 normal =
      frame(s.body, t).turn * bodies_[s.body].mesh->triangle(s.triangle).area_normal();
  s.normal = normal * ((normal.z < 0 ? -1.0 : 1.0) / length(normal));
  s.velocity = surface_velocity(s.body, {patch.x, patch.y, s.height}, t);

  // How much of the sole rests: nine points over the patch, inset so that corners count.
  int resting = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      const double u = 0.9 * i * patch.half_length, v = 0.9 * j * patch.half_width;
      const Vec3 from{patch.x + u * patch.cosine - v * patch.sine,
                      patch.y + u * patch.sine + v * patch.cosine, s.height + 1e-6};
      resting += ray(from, {0, 0, -1}, t, sole_gap + 1e-6).body >= 0;
    }
  s.coverage = resting / 9.0;
  return s;
}

// --- batches -----------------------------------------------------------------------------------

namespace {

// One question at each point.
void check_questions(std::span<const Vec3> points, const char* name, std::span<const double> times,
                     size_t out) {
  check_count(times.size(), "times", points.size(), name);
  check_count(out, "out", points.size(), name);
  check_positions(points, name);
  check_times(times, "times");
}

}  // namespace

template <class Query>
void World::each(size_t count, std::span<const double> times, const Batch& batch,
                 Query query) const {
  if (count == 0) return;
  with_span(BroadPhase::wanted(times), [&](const BroadPhase::Span& span) {
    parallel_for(count, batch.threads, kGrain, batch.interrupt, [&](size_t first, size_t last) {
      Snapshot view(*this, span);
      for (size_t i = first; i < last; ++i) query(view, i);
    });
  });
}

void World::ray(std::span<const Vec3> origins, std::span<const Vec3> directions,
                std::span<const double> times, double max_distance, std::span<WorldHit> out,
                const Batch& batch) const {
  check_questions(origins, "origins", times, out.size());
  check_count(directions.size(), "directions", origins.size(), "origins");
  check_directions(directions, "directions");
  check_reach(max_distance, "max_distance");
  each(out.size(), times, batch, [&](Snapshot& view, size_t i) {
    out[i] = view.ray(origins[i], directions[i], times[i], max_distance);
  });
}

void World::support(std::span<const Vec3> points, std::span<const double> times, double up,
                    double down, std::span<Support> out, const Batch& batch) const {
  check_questions(points, "points", times, out.size());
  check_size(up, "up");
  check_size(down, "down");
  each(out.size(), times, batch,
       [&](Snapshot& view, size_t i) { out[i] = view.support(points[i], times[i], up, down); });
}

void World::foot_support(std::span<const Vec3> points, std::span<const double> times,
                         std::span<const double> headings, double length, double width, double up,
                         double down, double sole_gap, std::span<Support> out,
                         const Batch& batch) const {
  check_questions(points, "points", times, out.size());
  check_count(headings.size(), "headings", points.size(), "points");
  check_finite(headings, "headings");
  check_size(length, "length");
  check_size(width, "width");
  check_size(up, "up");
  check_size(down, "down");
  check_size(sole_gap, "sole_gap");
  each(out.size(), times, batch, [&](Snapshot& view, size_t i) {
    const FootPatch patch{points[i].x, points[i].y,           length / 2,
                          width / 2,   std::cos(headings[i]), std::sin(headings[i])};
    out[i] = view.foot_support(patch, points[i].z, times[i], up, down, sole_gap);
  });
}

void World::overlap(std::span<const Vec3> feet, std::span<const double> times, const Shape& shape,
                    bool any, std::span<int32_t> out, const Batch& batch) const {
  check_questions(feet, "feet", times, out.size());
  check_shape(shape);
  each(out.size(), times, batch, [&](Snapshot& view, size_t i) {
    int found = -1;
    view.visit(shape_box(shape, feet[i]), times[i], [&](int id) {
      if (found >= 0 && id > found) return false;
      if (view.overlaps(id, times[i], shape, feet[i])) found = id;
      return any && found >= 0;
    });
    out[i] = found;
  });
}

void World::nearest(std::span<const Vec3> points, std::span<const double> times,
                    double max_distance, std::span<WorldHit> out, const Batch& batch) const {
  check_questions(points, "points", times, out.size());
  check_reach(max_distance, "max_distance");
  each(out.size(), times, batch,
       [&](Snapshot& view, size_t i) { out[i] = view.nearest(points[i], times[i], max_distance); });
}

}  // namespace surefoot
