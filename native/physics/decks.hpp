// Platforms that move as they are told, and carry who stands on them.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <vector>

#include "geometry/vec.hpp"

namespace surefoot::physics {

// A box on a free joint. Its place and velocity are written before every MuJoCo step, so that
// contacts see it move and drag along who stands on it; its mass is far beyond what feet can push.
struct Deck {
  int body = 0;
  int position = 0;  // first in qpos, of seven
  int dof = 0;       // first in qvel, of six
  Vec3 low, high;    // [m] corners of the box in its own frame
  double mass = 0;   // [kg]
  // For each MuJoCo step since its clock's zero: qpos, qvel, acceleration. Held at its end.
  std::shared_ptr<const std::vector<double>> track;
};

inline constexpr int kDeckRow = 16;

// How the ground under a foot moves.
struct Ground {
  Vec3 velocity;       // [m/s] of the ground, carried on to the body's centre of mass
  double turning = 0;  // [rad/s] about the vertical
  Vec3 up{0, 0, 1};    // against the gravity that is felt on it: who rides leans into its turns
};

// Writes where the deck is at a tick of its clock, and the force that drives it.
void place(const Deck& deck, long tick, mjData& data);

// The motion of the highest deck that an ankle is above, for a body whose centre of mass is `at`
// and moves with `velocity`; of none, rest. A function of what `place` wrote alone.
Ground ground_under(const std::vector<Deck>& decks, const mjData& data, int foot, Vec3 at,
                    Vec3 velocity);

}  // namespace surefoot::physics
