// Where a clip takes a body: frames in which it begins, or goes on, at a given spot.
#pragma once

#include "motion/carriers.hpp"
#include "motion/reel.hpp"

namespace surefoot {

// [s] contacts this close are at the same moment.
inline constexpr double kTolerance = 0.02;

// The frame in which a clip travels through a spot at its time `t` [s].
LevelFrame aligned(const Spot& going, const Take& take, double t);
// From one frame of a clip to another, by a share, as seen where the body is at `t` [s].
LevelFrame between(const LevelFrame& start, const LevelFrame& end, const Take& take, double t,
                   double share);
// A point of a clip in a frame.
Vec3 laid(const LevelFrame& frame, Vec3 p);

}  // namespace surefoot
