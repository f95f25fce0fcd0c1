#include "footsteps/terrain.hpp"

#include <algorithm>

namespace surefoot::footsteps {
namespace {

constexpr double kSide = 0.25;   // [m] of a square
constexpr double kLevel = 0.5;   // [m] between heights at which squares are looked at
constexpr double kEven = 0.004;  // [m] that the floor of a level square may differ
constexpr double kSole = 0.05;   // [m] above the floor that is floor
constexpr int64_t kRange = 1 << 20;

int64_t key_of(double x, double y, double z) {
  const auto i = static_cast<int64_t>(std::floor(x / kSide)) + kRange;
  const auto j = static_cast<int64_t>(std::floor(y / kSide)) + kRange;
  const auto k = static_cast<int64_t>(std::lround(z / kLevel)) + (1 << 16);
  return (i << 40) | (j << 18) | k;
}

UprightCylinder cylinder(const StepTable& table, int p, const Point& at, double floor,
                         double room) {
  const double bottom = std::max<double>(at.z + table.low[p], floor + kSole);
  return {at.x, at.y, table.radii[p] + room, bottom,
          std::max<double>(at.z + table.high[p], bottom + 0.01)};
}

Box box_of(const UprightCylinder& c) {
  return {{c.x - c.radius, c.y - c.radius, c.bottom}, {c.x + c.radius, c.y + c.radius, c.top}};
}

Point mixed(const Point& a, const Point& b, float u) {
  return {a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)};
}

// So many parts of a way that none is longer than the radius: nothing thin is stepped through.
int parts(const Point& a, const Point& b, float radius) {
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  return std::clamp(static_cast<int>(std::ceil(length / std::max(radius, 0.05f))), 1, 16);
}

}  // namespace

Terrain::Terrain(std::shared_ptr<const World> world, const TerrainSettings& settings)
    : world_(std::move(world)), settings_(settings), rests_(world_->rests()) {}

void Terrain::refresh() {
  if (rests_ == world_->rests()) return;
  rests_ = world_->rests();
  for (Shard& shard : shards_) shard.squares.clear();
}

size_t Terrain::squares() const {
  size_t count = 0;
  for (const Shard& shard : shards_) count += shard.squares.size();
  return count;
}

Square Terrain::find(int64_t key, Snapshot& snapshot) {
  Shard& shard = shards_[static_cast<size_t>((key ^ (key >> 18) ^ (key >> 40)) & (kShards - 1))];
  {
    std::shared_lock reading(shard.mutex);
    const auto found = shard.squares.find(key);
    if (found != shard.squares.end()) return found->second;
  }
  const double x = (static_cast<double>((key >> 40) - kRange) + 0.5) * kSide;
  const double y = (static_cast<double>(((key >> 18) & ((1 << 22) - 1)) - kRange) + 0.5) * kSide;
  const double z = static_cast<double>((key & ((1 << 18) - 1)) - (1 << 16)) * kLevel;
  Square square;
  // The floor of what is at rest, at the middle and the corners.
  const auto height = [&](double px, double py) {
    double best = z + 0.3 + settings_.rise - (z - 1.0);
    const double top = z + 0.3 + settings_.rise;
    double found = -kInfinity;
    snapshot.resting().visit_ray({px, py, top}, {0, 0, -1}, best, [&](int id, double reach) {
      const MeshHit hit =
          snapshot.body(id).mesh->ray(snapshot.body(id).rest, {px, py, top}, {0, 0, -1}, reach);
      if (hit.triangle >= 0 && top - hit.distance > found)
        found = top - hit.distance, best = hit.distance;
      return best;
    });
    return found;
  };
  const double middle = height(x, y), half = kSide / 2 - 1e-6;
  square.level = std::isfinite(middle);
  for (int corner = 0; corner < 4 && square.level; ++corner) {
    const double h = height(x + (corner & 1 ? half : -half), y + (corner & 2 ? half : -half));
    square.level = std::abs(h - middle) < kEven;
  }
  square.floor = static_cast<float>(middle);
  if (square.level) {
    const UprightCylinder c{x, y, settings_.clearance + 0.7072 * kSide, middle + kSole,
                            middle + settings_.height};
    square.open =
        !snapshot.resting().visit(box_of(c), [&](int id) { return snapshot.overlaps(id, 0.0, c); });
  }
  std::unique_lock writing(shard.mutex);
  shard.squares.emplace(key, square);
  return square;
}

const Square& Ground::square(double x, double y, double z) {
  const int64_t key = key_of(x, y, z);
  Kept& kept = kept_[static_cast<size_t>((key ^ (key >> 14) ^ (key >> 36)) & 511)];
  if (kept.key != key) kept = {key, terrain_.find(key, snapshot_)};
  return kept.square;
}

bool Ground::walled(double x, double y, double z, double radius) {
  const Square& here = square(x, y, z);
  if (here.level && std::abs(here.floor - z) <= terrain_.settings().rise && here.open) return false;
  if (!std::isfinite(here.floor)) return true;
  const UprightCylinder c{x, y, radius, z + terrain_.settings().rise + kSole,
                          z + terrain_.settings().height};
  return snapshot_.resting().visit(box_of(c),
                                   [&](int id) { return snapshot_.overlaps(id, 0.0, c); });
}

float Ground::doubt(int id, double t) const {
  for (const Doubt& one : doubts_)
    if (one.body == id)
      return std::min(one.most, one.growth * static_cast<float>(std::max(t - one.now, 0.0)));
  return 0;
}

bool Ground::touches_rest(const StepTable& table, const Point* a, const Point* b, double floor,
                          float room) {
  for (int p = 0; p < kPoints; ++p) {
    const int count = parts(a[p], b[p], table.radii[p]);
    for (int i = 0; i < count; ++i) {
      const Point at = mixed(a[p], b[p], static_cast<float>(i + 1) / static_cast<float>(count));
      const UprightCylinder c = cylinder(table, p, at, floor, room);
      if (snapshot_.resting().visit(box_of(c),
                                    [&](int id) { return snapshot_.overlaps(id, 0.0, c); }))
        return true;
    }
  }
  return false;
}

bool Ground::struck(const StepTable& table, const Point* a, const Point* b, double t0, double t1,
                    double floor, float girth, float room, std::span<const int32_t> bodies) {
  const BoxTree& moving = snapshot_.span().at(t1);
  float most = 0;
  for (const Doubt& one : doubts_) most = std::max(most, one.most);
  // One cylinder first (5.5).
  const float wide =
      girth + room + most + std::hypot(b[kRoot].x - a[kRoot].x, b[kRoot].y - a[kRoot].y);
  const UprightCylinder around{b[kRoot].x, b[kRoot].y, wide, floor + kSole,
                               floor + terrain_.settings().height};
  if (!moving.visit(box_of(around), [&](int) { return true; })) return false;
  for (int p = 0; p < kPoints; ++p) {
    const int count = parts(a[p], b[p], table.radii[p]);
    for (int i = 0; i < count; ++i) {
      const float u = static_cast<float>(i + 1) / static_cast<float>(count);
      const double t = t0 + (t1 - t0) * u;
      const Point at = mixed(a[p], b[p], u);
      UprightCylinder c = cylinder(table, p, at, floor, room + most);
      if (moving.visit(box_of(c), [&](int id) {
            if (!bodies.empty() && std::find(bodies.begin(), bodies.end(), id) == bodies.end())
              return false;
            c.radius = table.radii[p] + room + doubt(id, t);
            return snapshot_.overlaps(id, t, c);
          }))
        return true;
    }
  }
  return false;
}

// Both feet on ground that is near enough to level, and how high it is between them.
bool Ground::lands(const StepTable& table, const State& from, int32_t action, double& floor) {
  const Point* end = table.figure(table.actions[action].shape, kSamples - 1);
  double sum = 0;
  for (int foot = kFeet; foot < kPoints; ++foot) {
    const Point at = placed(from, end[foot]);
    const Square& here = square(at.x, at.y, from.z);
    double height = here.floor;
    if (!here.level) {
      const Support s =
          snapshot_.support({at.x, at.y, from.z}, from.t, terrain_.settings().rise + 0.05,
                            terrain_.settings().rise + 0.05);
      if (s.body < 0 || snapshot_.body(s.body).moving) return false;
      if (s.normal.z < std::cos(terrain_.settings().max_slope)) return false;
      height = s.height;
    }
    if (std::abs(height - from.z) > terrain_.settings().rise) return false;
    sum += height;
  }
  floor = sum / 2;
  return true;
}

bool Ground::free(const StepTable& table, const State& from, int32_t index, float room,
                  double& floor) {
  const Action& action = table.actions[index];
  if (!lands(table, from, index, floor)) return false;
  const double step = action.duration / (kSamples - 1);
  Figure before, after;
  bool known = false;
  for (int i = 0; i < kSamples; ++i) {
    const Point* points = table.figure(action.shape, i);
    const Point root = placed(from, points[kRoot]);
    const Square& here = square(root.x, root.y, from.z);
    const bool open = here.level && here.open && std::abs(here.floor - from.z) < 0.1;
    if (open && !movers_) {
      known = false;
      continue;
    }
    for (int p = 0; p < kPoints; ++p) after[p] = placed(from, points[p]);
    if (i > 0 && !known) {
      const Point* earlier = table.figure(action.shape, i - 1);
      for (int p = 0; p < kPoints; ++p) before[p] = placed(from, earlier[p]);
    }
    const Point* first = i > 0 ? before : after;
    const double low = std::max(from.z, floor);
    if (!open && touches_rest(table, first, after, low, room)) return false;
    if (movers_) {
      const double t1 = from.t + step * i, t0 = i > 0 ? t1 - step : t1;
      if (struck(table, first, after, t0, t1, low, action.girth, room)) return false;
    }
    std::copy(after, after + kPoints, before);
    known = true;
  }
  return true;
}

}  // namespace surefoot::footsteps
