// When every landmark is reached at the earliest from a start: forward in time, as fast as anybody
// is, from body to body whenever landmarks meet. No plan arrives anywhere before.
#pragma once

#include <vector>

#include "spacetime/meetings.hpp"

namespace surefoot::spacetime {

// How fast one is at most.
struct Fastest {
  double speed = 1;      // [m/s] over the ground
  double crossing = 0;   // [s] that a way from body to body takes at least
  double near = 0.5;     // [m]: who went to a landmark over its own ground is as near to it
  double boarded = 1.5;  // [m]: likewise who came from another body
};

// [s] by landmark; infinity where one never is by the end of the meetings.
std::vector<double> soonest(const Meetings& meetings, int start, const Fastest& fastest);

}  // namespace surefoot::spacetime
