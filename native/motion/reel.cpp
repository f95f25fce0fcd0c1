#include "motion/reel.hpp"

#include "math/checks.hpp"
#include "motion/humanoid.hpp"

namespace surefoot {

void Reel::check() const {
  check_shape(shape);
  const auto joints = static_cast<size_t>(shape.joints);
  check_count(joints, "the body", humanoid::kJoints, "a reel");
  const size_t frames = root.size() / 3;
  check_count(root.size(), "root", 3 * frames, "three for each frame");
  check_count(local.size(), "local", 4 * joints * frames, "four for each joint and frame");
  check_count(offsets.size(), "bones", 3 * joints, "three for each joint");
  check_finite<InputError, double>(root, "root");
  check_finite<InputError, double>(local, "local");
  check_finite<InputError, double>(offsets, "bones");
  check_size(leg, "leg");
  check_number(follow, "follow", 0, 1);
  for (const Take& take : takes) {
    require(take.first >= 0 && take.frames >= 1 &&
                take.first + take.frames <= static_cast<double>(frames),
            "a take has frames that the reel does not have");
    require(take.rate > 0 && std::isfinite(take.rate), "rate is ", take.rate,
            "; it must be above 0");
    check_time(take.duration, "duration");
    require(
        !take.x.empty() && take.x.size() == take.y.size() && take.x.size() == take.heading.size(),
        "a take travels along at least one frame");
    for (const auto* numbers : {&take.x, &take.y, &take.heading})
      check_finite<InputError, double>(*numbers, "travel");
    for (const auto& falls : take.falls)
      for (const Fall& fall : falls) {
        check_finite(fall.start, "the start of a footfall");
        check_number(fall.end, "the end of a footfall", fall.start,
                     std::numeric_limits<double>::infinity());
      }
  }
  for (const Piece& piece : pieces) {
    check_index(piece.take, takes.size(), "the take of a piece");
    check_time(piece.begin, "begin");
    check_time(piece.end, "end");
    require(piece.end > piece.begin && piece.speed > 0 && std::isfinite(piece.speed),
            "a piece must last longer than nothing, at a speed above 0");
    check_number(piece.blend, "blend", 0, kMaxTime);
  }
}

}  // namespace surefoot
