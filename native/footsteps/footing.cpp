#include "footsteps/footing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace surefoot::footsteps {
namespace {

// The same numbers as in motion/gait/soles.py.
constexpr double kHeld = 0.03, kUneven = 0.02, kToeRoom = 0.16;
constexpr int kSpots = 12;  // the middle, ten around it, and where the toes need room to swing

}  // namespace

Sole rest(Snapshot& world, const SoleShape& shape, double x, double y, double z, double yaw,
          double t, double reach) {
  const double half = 0.505 * shape.length, side = 0.35 * shape.width;
  const double c = std::cos(yaw), s = std::sin(yaw);
  std::array<Vec3, kSpots> away{};
  for (size_t i = 0; i < 10; ++i) {
    const int row = static_cast<int>(i / 2) - 2;
    const double ahead = half * row / 2, left = i % 2 ? side : -side;
    away[i + 1] = {c * ahead - s * left, s * ahead + c * left, 0};
  }
  const double before = half + kToeRoom * shape.length;
  away[kSpots - 1] = {c * before, s * before, 0};
  std::array<Support, kSpots> under;
  int highest = -1;
  for (size_t i = 0; i < kSpots; ++i) {
    under[i] = world.support({x + away[i].x, y + away[i].y, z}, t, reach, reach);
    if (i + 1 < kSpots && under[i].body >= 0 &&
        (highest < 0 || under[i].height > under[static_cast<size_t>(highest)].height))
      highest = static_cast<int>(i);
  }
  Sole sole;
  if (highest < 0) return sole;
  sole.found = true;
  const Vec3 normal = under[0].body >= 0 ? under[0].normal : Vec3{0, 0, 1};
  const double steep = std::max(normal.z, 0.3);
  const double slope[2] = {-normal.x / steep, -normal.y / steep};
  double raised = -kInfinity;
  if (under[0].body >= 0)
    for (size_t i = 0; i + 1 < kSpots; ++i)
      if (under[i].body >= 0)
        raised = std::max(raised, under[i].height - under[0].height - slope[0] * away[i].x -
                                      slope[1] * away[i].y);
  const bool tilted = under[0].body >= 0 && raised <= kUneven;
  const Support& top = under[static_cast<size_t>(tilted ? 0 : highest)];
  sole.height = tilted ? under[0].height + raised : top.height;
  sole.body = top.body;
  if (tilted) sole.slope[0] = slope[0], sole.slope[1] = slope[1];
  sole.normal_z = top.normal.z;
  const auto plane = [&](const Vec3& at) {
    return sole.height + sole.slope[0] * at.x + sole.slope[1] * at.y;
  };
  sole.middle = under[0].body >= 0 && sole.height - under[0].height < kHeld;
  // What moves holds a sole alone: the rest of it would be torn away.
  const auto carrier = [&](int body) { return world.body(body).moving ? body : -1; };
  int held = 0;
  for (size_t i = 0; i + 1 < kSpots; ++i) {
    if (under[i].body < 0 || plane(away[i]) - under[i].height >= kHeld) continue;
    ++held;
    sole.torn |= carrier(under[i].body) != carrier(sole.body);
  }
  sole.coverage = static_cast<double>(held) / (kSpots - 1);
  sole.blocked =
      under[kSpots - 1].body >= 0 && under[kSpots - 1].height > plane(away[kSpots - 1]) + kHeld;
  return sole;
}

}  // namespace surefoot::footsteps
