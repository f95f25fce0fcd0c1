// What characters with one body play their steps from: clips, where feet stand in them, and where
// the body travels.
#pragma once

#include <cstdint>
#include <vector>

#include "motion/playing.hpp"

namespace surefoot {

// A foot on the ground in a clip.
struct Fall {
  double start, end;  // [s]; the end may be infinite
  Vec3 position;      // [m] the middle of the sole, in the clip's own space
  Quat rotation;      // of the sole there
  double flat;        // [rad] pitch of the foot where its sole is flat
};

// One clip.
struct Take {
  double first, frames, rate, duration;
  std::vector<Fall> falls[2];
  std::vector<double> x, y, heading;  // where the body travels, for each of its frames
};

// A part of a clip, at a speed.
struct Piece {
  int32_t take;
  double begin, end, speed;
  bool stands;   // feet stay: another one after it goes on in the clip
  double blend;  // [s] of the crossfade that it begins with, at least
};

// Everything that characters with one body play from.
struct Reel {
  std::vector<double> root, local;  // frames of all clips
  BodyShape shape;
  double leg;     // [m]
  double follow;  // 0..1: how much the body goes with its feet, where those are not as in the clip
  std::vector<Take> takes;
  std::vector<Piece> pieces;

  // What is looked at for bodies that touch.
  std::vector<double> offsets;  // [m] of the canonical joints from their parents: joints x 3
  double hand = 0;              // [m] how long it is
  Vec3 heel{};                  // [m] in a foot's frame

  Footage footage() const { return {root.data(), local.data(), root.size() / 3}; }
  // Throws where its parts do not fit each other.
  void check() const;
};

}  // namespace surefoot
