// What someone does to get from one cell to the next (bandi2000, 6.1 and 8.2).
#pragma once

#include <cstdint>

namespace surefoot::grid {

struct Action {
  double span = 0;          // [m] how far it reaches past the cells around; 0: those only
  double up = 0, down = 0;  // [m] how much higher or lower the next cell may be
  double height = 0;        // [m] the room that the body needs above the ground
  double max_slope = 0.61;  // [rad] the steepest ground stood on
  double min_weight = 0;    // the least share of a cell that offers ground
  double lift = 0;          // [m] what is passed over may be this much above the higher end
  bool gaps = true;         // may cross columns without a floor
  bool euclidean = false;   // span as the crow flies, not along x plus along y
  double price = 1;         // what a metre (or a step) costs
  int priority = 0;         // of moves that cost the same the lower wins
};

inline constexpr int kMostActions = 16;

// The eight cells around: four across sides (+x, +y, -x, -y), then four across corners.
struct Direction {
  int i, j;
};
inline constexpr Direction kDirections[8] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                             {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
inline constexpr int opposite(int d) { return d < 4 ? (d + 2) & 3 : 4 + ((d - 2) & 3); }
// The two sides that a corner lies between.
inline constexpr int flank(int corner, int which) { return (corner + which) & 3; }
inline int direction(int i, int j) {
  for (int d = 0; d < 8; ++d)
    if (kDirections[d].i == i && kDirections[d].j == j) return d;
  return -1;
}

}  // namespace surefoot::grid
