// A coarser plan that guides the finer one (beacco2013, section 8): ways round people who stand,
// on small squares, for who has them on the way. A search that looks a few steps ahead would run up
// against them again and again.
#pragma once

#include "footsteps/search.hpp"
#include "footsteps/terrain.hpp"
#include "footsteps/track.hpp"

namespace surefoot::footsteps {

// Way-points of an errand with a way round those who stand before it; as they are where nobody
// does, or where there is no way round.
std::vector<WayPoint> detour(const Errand& errand, std::span<const Track* const> others,
                             Ground* ground);

}  // namespace surefoot::footsteps
