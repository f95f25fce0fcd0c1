// Floors that move under the feet: treadmills, and clips whose travel was taken away.
#pragma once

#include <vector>

#include "motion/series.hpp"

namespace surefoot {

enum class Floor { automatic, still, moving };

// The floor's velocity (n x 2) [m/s], empty where it rests. `scale` is the leg over a usual one.
std::vector<double> floor_velocity(const PointSeries& points, double rate, double scale,
                                   Floor floor);

}  // namespace surefoot
