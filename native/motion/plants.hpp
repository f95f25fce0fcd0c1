// Foot plants: when each foot is on the ground, from where its parts go (beacco2013 4.2).
#pragma once

#include <vector>

#include "motion/moving_floor.hpp"
#include "motion/series.hpp"

namespace surefoot {

struct PlantTuning {
  // For each part of a foot: below which share of the foot's highest speed nearby it has landed,
  // and up to which it has not lifted; a share each, the rear part first, then the front.
  std::vector<double> landing, lifting;
  double still;           // [m/s] below which a foot is at rest, for legs of usual length
  double band;            // [m] above the ground that still counts as on it, likewise
  double shortest_plant;  // [s]
  double shortest_swing;  // [s]
  Floor floor;
  // Whether feet land and lift where their speed would be zero, or where it passes the limits.
  bool from_rest;
};

struct Plant {
  int foot;            // 0 left, 1 right
  size_t first, last;  // moments [first, last)
  double start, end;   // [s]
  double place[3];     // [m] the middle of its parts while it is most still; z is the level
  double heading;      // [rad] from the rear part to the front; NaN with one part
  double confidence;   // 0 to 1
  bool flat;           // heel and toe as in other plants, not hanging
};

struct Plants {
  std::vector<Plant> plants;  // by start
  std::vector<double> floor;  // n x 2 [m/s]; empty where the floor rests
};

// Points (n, 2 feet, parts, 3) [m], Z up; `leg` [m] is hip to sole.
Plants find_plants(const double* points, size_t n, double rate, double leg,
                   const PlantTuning& tuning);

// Of plants of both feet, those whose foot is not just held still in the air; sets their levels.
std::vector<Plant> on_the_ground(std::vector<Plant> plants, const PointSeries& points, size_t parts,
                                 double rate, double band, double scale);

}  // namespace surefoot
