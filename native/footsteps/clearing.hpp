// Feet that swing over what lies between two footholds, as motion/playing/feet.py has it.
#pragma once

#include "geometry/world.hpp"
#include "motion/stepper.hpp"

namespace surefoot::footsteps {

// [m] that the swings of the piece that a body plays, from `start` to `end` [s], must be raised by.
double needed_arch(const Reel& reel, const Stepper& body, double start, double end,
                   const Carriers* carriers, Snapshot& world);

}  // namespace surefoot::footsteps
