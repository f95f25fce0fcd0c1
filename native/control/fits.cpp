#include "control/fits.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace surefoot::control {
namespace {

constexpr double kInside = 0.15;   // [m] by which samples lie inside a cylinder
constexpr double kBefore = 0.05;   // [m] by which a ditch begins before its first sample
constexpr double kFarAway = 1e3;   // [m]: where an obstacle is that nobody has seen
constexpr double kFarther = 0.15;  // [m]
constexpr int kCorners = 48;       // corners that are tried
constexpr double kRounding = 1e-9;

struct Flat {
  double x, y;
};

double squared(Flat a, Flat b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

// A segment, and how far points are from it.
struct Segment {
  Segment(Flat a, Flat b) : a(a), dx(b.x - a.x), dy(b.y - a.y) {
    const double length = dx * dx + dy * dy;
    over = length > 0 ? 1.0 / length : 0.0;
  }
  double squared_away(const Vec3& p) const {
    const double px = p.x - a.x, py = p.y - a.y;
    const double share = std::clamp((px * dx + py * dy) * over, 0.0, 1.0);
    const double x = px - share * dx, y = py - share * dy;
    return x * x + y * y;
  }

  Flat a;
  double dx, dy, over;
};

// Corners with a right angle lie on the circle over the straight way: on that circle, and over its
// diameter how far they are from its ends.
struct Corners {
  struct Corner {
    double c, s, to_target, to_start;
  };
  Corners() {
    for (int i = 0; i < kCorners; ++i) {
      const double angle = 2 * std::numbers::pi * i / kCorners;
      all[i] = {std::cos(angle), std::sin(angle), std::abs(std::sin(angle / 2)),
                std::abs(std::cos(angle / 2))};
    }
  }
  std::array<Corner, kCorners> all;
};

}  // namespace

std::optional<Fitted> fit_nothing(const FitTask& task) {
  if (!task.samples.empty()) return std::nullopt;
  return Fitted{{kFarAway, kFarAway, 0, 0}, {}};
}

std::optional<Fitted> fit_cylinder(const FitTask& task) {
  if (task.samples.empty()) return Fitted{{kFarAway, kFarAway, 0, 0}, {}};
  const double radius = task.size - kInside;
  const Flat start{task.start.x, task.start.y}, target{task.target.x, task.target.y};
  const double length = std::sqrt(squared(start, target));
  if (length < kRounding || radius <= 0) return std::nullopt;
  // To the left of the way.
  const Flat normal{-(target.y - start.y) / length, (target.x - start.x) / length};
  const auto offset = [&](Flat c) {
    return normal.x * (c.x - start.x) + normal.y * (c.y - start.y);
  };
  const auto holds_all = [&](Flat c) {
    return std::all_of(task.samples.begin(), task.samples.end(), [&](Vec3 p) {
      return squared(c, {p.x, p.y}) <= radius * radius * (1 + 1e-9);
    });
  };
  // The centre farthest out lies straight out from a sample, or as far as possible from two.
  std::array<std::optional<Flat>, 2> best;
  const auto consider = [&](Flat c) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? 1.0 : -1.0;
      if ((!best[side] || sign * offset(c) > sign * offset(*best[side])) && holds_all(c))
        best[side] = c;
    }
  };
  for (size_t i = 0; i < task.samples.size(); ++i) {
    const Flat a{task.samples[i].x, task.samples[i].y};
    consider({a.x + radius * normal.x, a.y + radius * normal.y});
    consider({a.x - radius * normal.x, a.y - radius * normal.y});
    for (size_t j = i + 1; j < task.samples.size(); ++j) {
      const Flat b{task.samples[j].x, task.samples[j].y};
      const double apart = squared(a, b);
      if (apart < 1e-12 || apart > 4 * radius * radius) continue;
      const double out = std::sqrt(radius * radius / apart - 0.25);
      const Flat middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
      consider({middle.x - out * (b.y - a.y), middle.y + out * (b.x - a.x)});
      consider({middle.x + out * (b.y - a.y), middle.y - out * (b.x - a.x)});
    }
  }
  if (!best[0] || !best[1]) return std::nullopt;
  const bool left_first = std::abs(offset(*best[0])) >= std::abs(offset(*best[1]));
  const Flat centre = *best[left_first == (task.side > 0) ? 0 : 1];
  const double own = task.size * task.size;
  if (squared(centre, target) < own || squared(centre, start) < radius * radius)
    return std::nullopt;
  return Fitted{{centre.x, centre.y, 0, 0}, {}};
}

namespace {

// An edge that all samples lie behind, by its normal from the start.
struct Edge {
  Flat across{1, 0};
  double nearest = -1e300, deepest = 0;  // [m]: of samples, along the normal

  double spread() const { return deepest - nearest; }
};

Edge edge_across(const FitTask& task, Flat across) {
  Edge edge{across, 1e300, -1e300};
  for (const Vec3& s : task.samples) {
    const double along = across.x * (s.x - task.start.x) + across.y * (s.y - task.start.y);
    edge.nearest = std::min(edge.nearest, along);
    edge.deepest = std::max(edge.deepest, along);
  }
  return edge;
}

}  // namespace

std::optional<Fitted> fit_ditch(const FitTask& task) {
  if (task.samples.empty()) return std::nullopt;
  const Flat start{task.start.x, task.start.y}, target{task.target.x, task.target.y};
  // Wider than what is jumped over, or a target that is not on the other side.
  const auto fits = [&](const Edge& edge) {
    const double beyond =
        edge.across.x * (target.x - start.x) + edge.across.y * (target.y - start.y);
    return edge.nearest > 0 && edge.spread() <= task.size && beyond >= edge.nearest;
  };
  // The edge that is farthest away with all samples behind it: across the direction of the point
  // of their hull that is nearest to the start.
  Edge farthest;
  const auto consider = [&](Flat p) {
    const double length = std::sqrt(squared(p, start));
    if (length < kRounding) return;
    const Edge edge = edge_across(task, {(p.x - start.x) / length, (p.y - start.y) / length});
    if (edge.nearest > farthest.nearest + kRounding) farthest = edge;
  };
  // The edge that samples lie along best: whoever comes up to one askew sees none of it where it
  // is nearest.
  Edge narrowest;
  double least = 1e300;
  const auto consider_along = [&](Flat a, Flat b, double apart) {
    Flat n{-(b.y - a.y) / apart, (b.x - a.x) / apart};
    if (n.x * (a.x - start.x) + n.y * (a.y - start.y) < 0) n = {-n.x, -n.y};
    const Edge edge = edge_across(task, n);
    if (edge.spread() < least - kRounding && fits(edge)) least = edge.spread(), narrowest = edge;
  };
  for (size_t i = 0; i < task.samples.size(); ++i) {
    const Flat a{task.samples[i].x, task.samples[i].y};
    consider(a);
    for (size_t j = i + 1; j < task.samples.size(); ++j) {
      const Flat b{task.samples[j].x, task.samples[j].y};
      const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
      if (length < 1e-12) continue;
      const double share = ((start.x - a.x) * dx + (start.y - a.y) * dy) / length;
      if (share > 0 && share < 1) consider({a.x + share * dx, a.y + share * dy});
      consider_along(a, b, std::sqrt(length));
    }
  }
  if (!fits(farthest)) {
    if (least == 1e300) return std::nullopt;
    farthest = narrowest;
  }
  const Flat across = farthest.across;
  const double edge = std::max(farthest.nearest - kBefore, 0.0);
  return Fitted{
      {start.x + edge * across.x, start.y + edge * across.y, 0, std::atan2(across.y, across.x)},
      {task.target.z - task.start.z}};
}

std::optional<Fitted> fit_corner(const FitTask& task) {
  const Flat start{task.start.x, task.start.y}, target{task.target.x, task.target.y};
  const Flat middle{(start.x + target.x) / 2, (start.y + target.y) / 2};
  const double radius = std::sqrt(squared(start, target)) / 2;
  if (radius < kRounding) return std::nullopt;
  const double bearing = std::atan2(target.y - start.y, target.x - start.x);
  const Flat ahead{(target.x - start.x) / 2, (target.y - start.y) / 2};
  static const Corners corners;
  // Whoever bumps into something in a bend keeps farther away the next time, as far as can be.
  const double wanted = task.size + kFarther * task.farther;
  std::array<std::optional<Flat>, 2> best;  // to the left and to the right of that
  std::array<double, 2> shortest{1e300, 1e300}, clearest{0, 0};
  for (int i = 0; i < kCorners; ++i) {
    const auto& at = corners.all[i];
    const Flat corner{middle.x + at.c * ahead.x - at.s * ahead.y,
                      middle.y + at.s * ahead.x + at.c * ahead.y};
    const double length = 2 * radius * (at.to_start + at.to_target);
    const Segment out(start, corner), on(corner, target);
    double nearest = wanted * wanted;
    for (const Vec3& s : task.samples) {
      nearest = std::min({nearest, out.squared_away(s), on.squared_away(s)});
      if (nearest < task.size * task.size) break;
    }
    if (nearest < task.size * task.size) continue;
    const double clearance = std::sqrt(nearest);
    const int side = 2 * i < kCorners ? 0 : 1;
    const bool as_clear = clearance > clearest[side] - kRounding;
    if (clearance > clearest[side] + kRounding || (as_clear && length < shortest[side] - kRounding))
      clearest[side] = clearance, shortest[side] = length, best[side] = corner;
  }
  const int nearer = shortest[0] <= shortest[1] ? 0 : 1;
  const std::optional<Flat> corner = best[task.side > 0 ? nearer : 1 - nearer];
  if (!corner) return std::nullopt;
  double along = std::atan2(target.y - corner->y, target.x - corner->x);
  if (squared(*corner, target) < 1e-6) along = bearing + std::numbers::pi / 2;
  if (squared(*corner, start) < 1e-6) along = bearing;
  return Fitted{{target.x, target.y, 0, along + std::numbers::pi / 2}, {}};
}

}  // namespace surefoot::control
