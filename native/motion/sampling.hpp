// Poses between the frames of a clip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace surefoot {

// Rotations `out` (k x joints x 4) between frames of `rotations` (n x joints x 4): the shortest way
// at constant rate from frame `frames[i]` to the next, `fractions[i]` of it. A fraction of zero
// does not look at the next frame.
void rotations_between(const double* rotations, size_t joints, std::span<const int32_t> frames,
                       std::span<const double> fractions, double* out);

}  // namespace surefoot
