// The torques of a step controller at one moment (coros2009 section 3, after Yin et al. 2007).
#pragma once

#include "physics/anatomy.hpp"
#include "physics/decks.hpp"
#include "physics/gait.hpp"

namespace surefoot::physics {

// Where in a step a body is.
struct Beat {
  int stance = 0;      // leg: 0 left, 1 right
  double elapsed = 0;  // [s] since the last foot strike
  double heading = 0;  // [rad] of the root at that strike
  double support = 1;  // 1 while the stance foot carries the body, down to 0 in flight
};

// Writes generalised forces for the character's degrees of freedom; the free joint's stay zero.
// The body balances against the ground that carries it, which may move and turn.
// Positions and velocities of `data` must be up to date.
void torques(const Anatomy& anatomy, const mjData& data, const Gait& gait, const Beat& beat,
             const Ground& ground, double* out);

// How the ground under the foot that stands moves.
Ground ground_of(const Anatomy& anatomy, const std::vector<Deck>& decks, const mjData& data,
                 int stance);

// [rad] that a root faces.
double facing(const mjtNum* root_quaternion);

}  // namespace surefoot::physics
