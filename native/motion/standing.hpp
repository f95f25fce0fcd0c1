// How an actor's feet stand: flat on the ground when they are still.
#pragma once

#include <vector>

#include "motion/actor.hpp"

namespace surefoot {

// Frames in which a foot is slowest, in place and in turning: where it stands.
std::vector<size_t> standing_frames(const ActorMotion& actor, int foot);

struct SoleAxes {
  Quat foot, toe;
};

// The axes of a foot, and of its toes if they are known: flat, and straight ahead. `resting` are
// the foot's by the rest pose with the leg straight; they are believed where `stands`.
SoleAxes sole_axes(const ActorMotion& actor, int foot, std::span<const size_t> frames, Quat resting,
                   bool stands, std::span<const size_t> some);

// The mean direction from a joint to another over some frames, in the first one's own frame.
Vec3 bone_direction(const ActorMotion& actor, int joint, int end, std::span<const size_t> some);

}  // namespace surefoot
