// When a mover has ground under its foot: a surface no steeper than allowed, near enough.
#pragma once

#include "geometry/timed_contact.hpp"

namespace surefoot {

class TimedGround {
 public:
  TimedGround(const Mover& mover, double max_slope, double tolerance);

  // How far above or below the foot its ground may be.
  double band() const { return band_; }
  bool supported_at(const std::vector<int>& ids, double t) const;
  // Adds the spans of [from, to] with ground; losses shorter than the tolerance may be missed.
  void add_spans(const std::vector<int>& ids, double from, double to, Spans& out);

 private:
  // The surface of one body around the foot, over a whole span of time.
  struct Surface {
    bool any = false;     // some of it may come under the foot
    bool gentle = false;  // some of it may be gentle enough
    bool steep = false;   // some of it may be too steep
    bool held = false;    // the foot is on gentle surface of this body throughout
  };
  struct Patch {
    Triangle triangle;
    int index;
    bool up;
  };

  Verdict judge(const std::vector<int>& ids, double from, double to);
  Surface surface(int id, const Mover::During& during, const Slack& slack, double lean);
  // Whether gentle triangles, joined by edges, cover everything within `reach` of the foot.
  bool goes_on(const Mesh& mesh, size_t start, Vec3 foot, double reach);

  const Mover& mover_;
  double max_slope_, tolerance_, band_;
  std::vector<Patch> gentle_;    // scratch of surface()
  std::vector<size_t> reached_;  // scratch of goes_on()
};

}  // namespace surefoot
