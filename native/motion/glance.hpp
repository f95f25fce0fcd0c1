// What a glance at a clip tells: frames at its start that do not belong to it, and how fast the
// people in it move.
#pragma once

#include <cstddef>

namespace surefoot {

// How many frames at the start of `rotations` (frames x joints x 4, local) do not lead into the
// motion. Exporters put the pose that a skeleton was bound in before the first frame, some a frame
// of zeros after it: the step from such a frame is far larger than nearly all later ones.
size_t stray_frames(const double* rotations, size_t frames, size_t joints);

// How people move in poses (frames x joints x 3): the spread [m] of the feet around the pelvis; how
// many frames the feet take to move by half their correlation; and how fast the pelvis falls in
// the fastest fiftieth of all frames [m per frame squared]. NaN where it cannot be told.
struct Pace {
  double spread, lag, fall;
};
Pace pace_of(const double* positions, size_t frames, size_t joints, size_t pelvis, size_t left_foot,
             size_t right_foot);

}  // namespace surefoot
