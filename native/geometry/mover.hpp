// Somebody who stands at, or moves along, a path in a body's frame, and how far that strays.
#pragma once

#include "geometry/world.hpp"

namespace surefoot {

// How far things can stray from where they are at the middle of a span of time.
struct Slack {
  double across, up;
};

class Mover {
 public:
  // The mover during a span of time.
  struct During {
    double from, to;
    Vec3 foot;        // in the world, at the middle: about where it is
    Vec3 shift;       // how far it strays per axis, by its frame's motion and its own
    Vec3 own;         // by its own motion along the path alone
    double tilt = 0;  // of its frame

    double middle() const { return 0.5 * (from + to); }
  };

  Mover(Snapshot& view, const TimedPath& path, const Shape& shape)
      : view_(view),
        path_(path),
        shape_(shape),
        carrier_(path.frame < 0 ? nullptr : view.body(path.frame).trajectory->carrier()) {}

  Snapshot& view() const { return view_; }
  const Shape& shape() const { return shape_; }
  int frame() const { return path_.frame; }

  // Between two times with no point of the path in between.
  During during(double from, double to) const;
  // Between any two times at which the frame does not jump; looser.
  During along(double from, double to) const;
  // How far surfaces of a body stray, seen from the mover; infinite where that is not known.
  Slack slack(int id, const During& during) const;
  // How far a body leans against the upright meanwhile [rad].
  double lean(int id, const During& during) const;
  // Everything the shape may touch, and what lies up to `down` below its foot.
  Box swept(const During& during, double down) const;
  // Splits [from, to] at the path's points, the borders of blocks and the jumps of the frame.
  std::vector<double> cuts(double from, double to) const;
  // The times inside (from, to) at which the frame jumps.
  std::vector<double> frame_jumps(double from, double to) const;
  // Bodies that may come near between two neighbouring cuts, lowest id first.
  std::vector<int> candidates(double from, double to, double down) const;

 private:
  Vec3 local(double t) const;
  // Whether a body never moves against the mover's frame.
  bool rides_along(int id) const { return view_.body(id).trajectory->carrier() == carrier_; }
  During around(double from, double to, Vec3 here, Vec3 own) const;

  Snapshot& view_;
  const TimedPath& path_;
  const Shape& shape_;
  const Trajectory* carrier_;  // of its frame; none where that is the world
};

}  // namespace surefoot
