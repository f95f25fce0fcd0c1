// Adaptation: task parameters for the geometry that is really there (levine2011, section 4.2).
#pragma once

#include "control/fits.hpp"
#include "control/rollout.hpp"

namespace surefoot::control {

struct Adapting {
  Fit fit;
  double size = 1.0;     // of the obstacle, for the fit
  bool sides = false;    // whether the fit has a second choice
  bool rays = true;      // whether it begins with samples along rays
  bool moves = false;    // whether anything in the world moves, which may be gone a moment later
  int attempts = 5;      // for each choice
  size_t unsourced = 0;  // axes before the constants that a fit gives: directions of targets
};

struct Adapted {
  Rollout rollout;
  Situation situation;        // in the frame of the start
  std::vector<Vec3> samples;  // where it failed, in that frame, each at its own time
  int attempts = 0;
  bool fitted = false;  // whether the last samples still satisfied the controller
};

void adapt(const Controller& controller, Snapshot& view, const Needs& needs, const Limits& limits,
           const Configuration& start, double t, const Target& target, const Adapting& how,
           Adapted& out);

}  // namespace surefoot::control
