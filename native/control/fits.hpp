// Fits: a controller's own idea of an obstacle, laid over samples of where it failed (levine2011,
// Appendix A). All in the frame of whatever carries the body at the start.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "control/moves.hpp"
#include "geometry/vec.hpp"

namespace surefoot::control {

struct FitTask {
  std::span<const Vec3> samples;
  Level start;
  Vec3 target;  // at the time of the last failure
  double size;  // of the obstacle: a radius, a width, a clearance
  int side;     // 1 or -1: a second choice, where there are two
  int farther;  // how often it failed with the same choice, more where it failed again
};

struct Fitted {
  Level obstacle;                 // a point, or a line through it whose normal is its heading
  std::vector<double> constants;  // of the axes after the place

  bool operator==(const Fitted&) const = default;
};

using Fit = std::function<std::optional<Fitted>(const FitTask&)>;

// A cylinder of a radius that holds all samples, as far as can be from the straight way; none
// when there is no such cylinder, or it holds the start or the target.
std::optional<Fitted> fit_cylinder(const FitTask& task);
// The near edge of a ditch of a width, with all samples behind it; constants: the direction of the
// target is none, then how much higher the other side is.
std::optional<Fitted> fit_ditch(const FitTask& task);
// A line to the target, such that samples keep a clearance from it and from the perpendicular
// that leads from the start to it; the normal points to the left of the way.
std::optional<Fitted> fit_corner(const FitTask& task);
// Nothing to go round, over or under.
std::optional<Fitted> fit_nothing(const FitTask& task);

}  // namespace surefoot::control
