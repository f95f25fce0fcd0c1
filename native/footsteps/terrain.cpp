#include "footsteps/terrain.hpp"

#include <algorithm>

namespace surefoot::footsteps {
namespace {

constexpr double kSide = 0.25;   // [m] of a square
constexpr double kLevel = 0.5;   // [m] between heights at which squares are looked at
constexpr double kEven = 0.004;  // [m] that the floor of a level square may differ
constexpr double kSole = 0.05;   // [m] above the floor that is floor
constexpr int64_t kRange = 1 << 20;
constexpr int kSwing = 16;           // moments of a swing that are looked at
constexpr double kRounded = 0.85;    // of a foot, that comes near to what it goes over
constexpr double kArch = 0.35;       // of a swing, in which a foot is raised and lowered
constexpr double kClearance = 0.01;  // [m] between a foot and what it goes over
constexpr double kClimbing = 9.81;   // [J/(kg m)] up
constexpr double kUnlike = 20;     // [J/(kg m)] by which an action goes up otherwise than by itself
constexpr double kRaising = 4;     // [J/(kg m)] that a foot is raised by
constexpr double kProbe = 0.04;    // [m] between places where ground is looked for
constexpr double kBrisk = 2.0;     // [m/s]: who is faster runs
constexpr double kCrack = 0.06;    // [m] without ground that runners do not notice
constexpr double kBridged = 0.36;  // [m] without ground under a body in one step over a gap
constexpr double kFirm = 0.03;     // [m] above or below the ground that is on it
constexpr double kTucked = 0.06;   // [m] by which feet are raised in a jump, at most

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

// 0 to 1 with level ends.
double ramp(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10 + x * (6 * x - 15));
}

}  // namespace

Terrain::Terrain(std::shared_ptr<const World> world, const TerrainSettings& settings)
    : world_(std::move(world)), settings_(settings) {
  require(world_ != nullptr, "terrain needs a world");
  check_size(settings.height, "height");
  check_size(settings.rise, "rise");
  check_number(settings.max_slope, "max_slope", 0, 1.6);
  check_size(settings.clearance, "clearance");
  check_size(settings.radius, "radius");
  check_size(settings.foot.length, "foot_length");
  check_size(settings.foot.width, "foot_width");
  rests_ = world_->rests();
}

void Terrain::refresh() {
  // The world does not change meanwhile: every thread that uses squares refreshed them before.
  std::lock_guard refreshing(refreshing_);
  const uint64_t rests = world_->rests();
  if (rests_ == rests) return;
  rests_ = rests;
  for (Shard& shard : shards_) {
    std::unique_lock writing(shard.mutex);
    shard.squares.clear();
  }
}

size_t Terrain::squares() const {
  size_t count = 0;
  for (const Shard& shard : shards_) {
    std::shared_lock reading(shard.mutex);
    count += shard.squares.size();
  }
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

bool Ground::bumps(const StepTable& table, const Point* body, int32_t carrier, double floor,
                   double t, float room) {
  const TerrainSettings& size = terrain_.settings();
  // What is carried goes past what rests: also what legs would touch between feet and trunk.
  const UprightCylinder c{body[kRoot].x, body[kRoot].y, size.radius, floor + size.rise,
                          floor + size.height};
  if (snapshot_.visit(box_of(c), t,
                      [&](int id) { return id != carrier && snapshot_.overlaps(id, t, c); }))
    return true;
  return touches_rest(table, body, body, floor, room);
}

double Ground::obstructed(const StepTable& table, const Action& action, const State& from,
                          const State& to) {
  const Warp warp(from, to, action);
  const double half = kRounded * terrain_.settings().foot.length / 2;
  double needed = 0;
  for (int foot = 0; foot < 2; ++foot) {
    if (!(action.lands >> foot & 1)) continue;
    const double top = std::max(from.feet[foot], to.feet[foot]), reach = terrain_.settings().rise;
    const double leaves = action.leaves[foot];
    for (int i = 1; i < kSwing; ++i) {
      // The share of the swing, and of the action.
      const double part = static_cast<double>(i) / kSwing, u = leaves + part * (1 - leaves);
      const double raised = ramp(part / kArch) * ramp((1 - part) / kArch);
      if (raised <= 0.35) continue;
      const double place = u * (kSamples - 1);
      const int k = std::min(static_cast<int>(place), kSamples - 2);
      const auto share = static_cast<float>(place - k);
      const Point *a = table.figure(action.shape, k), *b = table.figure(action.shape, k + 1);
      const Point at = placed(from, mixed(a[kFeet + foot], b[kFeet + foot], share));
      const Point by = warp.at(kFeet + foot, static_cast<float>(u));
      const double bottom = at.z + by.z - table.sole;
      const double yaw = from.heading + u * (to.heading - from.heading) + action.soles[foot][2];
      for (const double along : {-half, 0.0, half}) {
        const Support s = snapshot_.support(
            {at.x + by.x + along * std::cos(yaw), at.y + by.y + along * std::sin(yaw), top}, to.t,
            reach, reach);
        if (s.body >= 0 && !snapshot_.body(s.body).moving)
          needed = std::max(needed, (s.height + kClearance - bottom) / raised);
      }
    }
  }
  return needed;
}

bool Ground::firm(const State& state) {
  const State at = rebased(this, state, -1, state.t);
  return snapshot_.support({at.x, at.y, at.z}, at.t, kFirm, kFirm).body >= 0;
}

// Whether there is ground under a body that steps, but for what it steps over.
bool Ground::carried(const Action& action, const State& from, const State& to) {
  const State start = rebased(this, from, -1, to.t), end = rebased(this, to, -1, to.t);
  const double length = std::hypot(end.x - start.x, end.y - start.y);
  const double most = length / action.duration > kBrisk ? kCrack : kBridged;
  const int count = static_cast<int>(length / kProbe) + 1;
  double missing = 0;
  for (int i = 0; i <= count; ++i) {
    const double u = static_cast<double>(i) / count;
    const double x = start.x + u * (end.x - start.x), y = start.y + u * (end.y - start.y),
                 z = start.z + u * (end.z - start.z);
    const Square& here = square(x, y, z);
    if (here.level && std::abs(here.floor - z) <= terrain_.settings().rise) continue;
    const double reach = terrain_.settings().rise;
    if (snapshot_.support({x, y, z}, to.t, reach, reach).body < 0) missing += length / count;
  }
  return missing <= most;
}

bool Ground::free(const StepTable& table, const State& from, int32_t index, float room, bool rough,
                  State& to, Treads& treads) {
  const Action& action = table.actions[index];
  // Who has a foot on either of two that move apart does not stay like that.
  const bool split = from.on[0] != from.on[1];
  for (int foot = 0; foot < 2 && split; ++foot)
    if (from.on[foot] != from.body && !(action.lands >> foot & 1)) return false;
  bool level = true;
  if (!lands(action, from, rough, to, treads, level)) return false;
  const State begins = from, ends = to;
  to = settled(action, from, ends, treads);
  const bool carried_along = from.body >= 0 || to.body >= 0;
  // Who jumps off what moves would land elsewhere than planned.
  if (carried_along && action.flies) return false;
  const double step = action.duration / (kSamples - 1);
  const Acted acted(table, this, begins, to, index);
  Figure before, after;
  bool known = false, looked = !rough || carried_along;
  const double low = std::max(from.z, ends.z);
  for (int i = 0; i < kSamples; ++i) {
    const Point root = acted.point(i, kRoot);
    const double lifted = acted.lifted(i);
    const Square& here = square(root.x, root.y, from.z + lifted);
    const bool open = here.level && here.open && std::abs(here.floor - from.z - lifted) < 0.1;
    if (open && !movers_) {
      known = false;
      continue;
    }
    if (!open && !looked) {
      // Feet are raised over what is low; jumps go over it as they are.
      const double arch = obstructed(table, action, from, ends);
      if (arch > (action.flies ? kTucked : terrain_.settings().rise)) return false;
      treads.arch = static_cast<float>(arch);
      looked = true;
    }
    acted.points(i, after);
    if (i > 0 && !known) acted.points(i - 1, before);
    const Point* first = i > 0 ? before : after;
    // On rough ground what is low enough is stepped over and onto, not bumped into.
    const double bump = rough ? low + terrain_.settings().rise - kSole : low;
    if (!open && touches_rest(table, first, after, bump + lifted, room)) return false;
    if (movers_) {
      const double t1 = from.t + step * i, t0 = i > 0 ? t1 - step : t1;
      if (struck(table, first, after, t0, t1, low + lifted, action.girth, room)) return false;
    }
    if (from.body >= 0 && bumps(table, after, to.body, low + lifted, from.t + step * i, room))
      return false;
    std::copy(after, after + kPoints, before);
    known = true;
  }
  if ((rough || from.body != to.body) && !action.flies && !carried(action, from, to)) return false;
  // Who jumps is over firm ground before and after.
  if (action.flies && !(firm(from) && firm(to))) return false;
  const double rise = ends.z - from.z;
  treads.effort = static_cast<float>(kClimbing * std::max(rise, 0.0) +
                                     kUnlike * std::abs(rise - action.rise()) +
                                     kRaising * static_cast<double>(treads.arch));
  return true;
}

}  // namespace surefoot::footsteps
