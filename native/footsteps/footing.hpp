// Where a foot rests on real ground, as motion/gait/soles.py has it: in the plane of what is under
// its middle where that is nearly flat, or level on the highest where something stands out of it.
#pragma once

#include "geometry/world.hpp"

namespace surefoot::footsteps {

struct SoleShape {
  double length, width;  // [m] of the foot
};

struct Sole {
  bool found = false;
  bool middle = false;   // its middle is held
  double height = 0;     // [m] of its middle
  double slope[2] = {};  // how steeply the ground rises along x and y
  double normal_z = 1;   // upward part of the normal
  int body = -1;         // what holds it
  double coverage = 0;   // 0 to 1: how much of it is held
  bool blocked = false;  // a step rises right before the toes
  bool torn = false;     // parts of it are on what moves, others on something else
};

// A sole with its middle at a place and its toes along `yaw`, on ground within `reach` [m] of `z`.
Sole rest(Snapshot& world, const SoleShape& shape, double x, double y, double z, double yaw,
          double t, double reach);

}  // namespace surefoot::footsteps
