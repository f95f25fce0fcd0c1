// What somebody can do: ways of going about on the ground, and jumps (lopez2012, 3.1).
#pragma once

#include "geometry/world.hpp"

namespace surefoot::topology {

inline constexpr double kGravity = 9.81;

// One way of going about: its bounding cylinder, and the slopes and the speed it is good for.
struct Skill {
  Shape shape;
  double max_slope;  // [rad]
  double speed;      // [m/s]
};

// What a jump can do; speeds are relative to what is jumped from, and landed on.
struct Leap {
  Shape shape;
  double vertical;    // [m/s] most upward impulse
  double horizontal;  // [m/s] most impulse over the ground
  double landing;     // [m/s] most downward speed at the landing
};

// The accessibility profile: how far over the ground a landing `rise` above the take-off may be
// [m]; less than 0 where none can be. The paper samples it; it has a closed form.
double reach(const Leap& leap, double rise);

// The highest and lowest landing, and the farthest [m].
double most_rise(const Leap& leap);
double most_drop(const Leap& leap);
double most_reach(const Leap& leap);

// A flight between two points: where, when and how fast.
struct Flight {
  double start = 0, lasts = 0;
  Vec3 from, launch;  // in the world

  Vec3 at(double t) const {
    const double s = t - start;
    return from + launch * s + Vec3{0, 0, -0.5 * kGravity * s * s};
  }
};

// The flight that takes `lasts` seconds between two points; whether it is within the limits, for
// take-off and landing grounds that move at the given velocities.
Flight flight_between(Vec3 from, Vec3 to, double start, double lasts);
bool possible(const Leap& leap, const Flight& flight, Vec3 from_velocity, Vec3 to_velocity);

}  // namespace surefoot::topology
