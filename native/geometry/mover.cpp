#include "geometry/mover.hpp"

namespace surefoot {
namespace {

Travel strayed(const Body& body, const Mover::During& d) {
  return max(body.trajectory->travel(d.from, d.middle()),
             body.trajectory->travel(d.middle(), d.to));
}

}  // namespace

Vec3 Mover::local(double t) const {
  const auto& times = path_.times;
  if (times.size() <= 1 || t <= times.front()) return path_.positions.front();
  if (t >= times.back()) return path_.positions.back();
  const size_t i = std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1;
  const double s = (t - times[i]) / (times[i + 1] - times[i]);
  return path_.positions[i] + (path_.positions[i + 1] - path_.positions[i]) * s;
}

Mover::During Mover::during(double from, double to) const {
  return around(from, to, local(0.5 * (from + to)), abs(local(to) - local(from)) * 0.5);
}

Mover::During Mover::along(double from, double to) const {
  Box way;
  way.include(local(from));
  way.include(local(to));
  for (size_t i = 0; i < path_.times.size() && path_.times[i] < to; ++i)
    if (path_.times[i] > from) way.include(path_.positions[i]);
  return around(from, to, way.centre(), way.half());
}

// Of a mover that is never farther than `own` from a place `here` of its frame, by axis.
Mover::During Mover::around(double from, double to, Vec3 here, Vec3 own) const {
  During d{from, to, {}, {}, {}};
  if (path_.frame < 0 || !view_.body(path_.frame).moving) {
    const Frame frame = path_.frame < 0 ? Frame() : view_.body(path_.frame).rest;
    d.foot = frame.apply(here);
    d.own = frame.turn.spread(own);
    d.shift = d.own;
    return d;
  }
  const Travel travel = strayed(view_.body(path_.frame), d);
  const Frame& frame = view_.frame(path_.frame, d.middle());
  d.foot = frame.apply(here);
  const double reach = length(own), turned = travel.turn * reach;
  d.own = frame.turn.spread(own) + Vec3{turned, turned, travel.tilt * reach};
  const double arm = length(here) + reach;
  d.shift = travel.shift + frame.turn.spread(own) +
            Vec3{travel.turn * arm, travel.turn * arm, travel.tilt * arm};
  d.tilt = travel.tilt;
  return d;
}

Slack Mover::slack(int id, const During& d) const {
  // Farthest point of the shape from its foot.
  const double reach = std::hypot(shape_.radius, std::max(shape_.height, shape_.step));
  const Body& body = view_.body(id);
  if (rides_along(id)) {
    // Both ride together: only the path itself and a leaning floor move anything, as a turn
    // about the vertical leaves an upright round shape as it is.
    if (d.tilt >= 0.5) return {kInfinity, kInfinity};
    const double lean = d.tilt * reach / (1 - d.tilt);
    return {std::hypot(d.own.x, d.own.y) + lean, d.own.z + lean};
  }
  Vec3 shift = d.shift;
  if (body.moving) {
    const Travel travel = strayed(body, d);
    shift = shift + travel.shift;
    if (travel.turn > 0) {
      if (travel.turn >= 0.5) return {kInfinity, kInfinity};
      // Only points near the shape matter, and no point is farther out than the mesh.
      const double distance = length(d.foot - view_.frame(id, d.middle()).origin) + reach;
      const double arm =
          std::min(body.mesh->radius(), (distance + length(shift)) / (1 - travel.turn));
      shift = shift + Vec3{travel.turn * arm, travel.turn * arm, travel.tilt * arm};
    }
  }
  return {std::hypot(shift.x, shift.y), shift.z};
}

double Mover::lean(int id, const During& d) const {
  if (rides_along(id)) return d.tilt;
  return view_.body(id).moving ? strayed(view_.body(id), d).tilt : 0;
}

Box Mover::swept(const During& d, double down) const {
  Box box = shape_box(shape_, d.foot);
  box.lo.z = std::min(box.lo.z, d.foot.z - down);
  return {box.lo - d.shift, box.hi + d.shift};
}

std::vector<double> Mover::frame_jumps(double from, double to) const {
  std::vector<double> times;
  if (path_.frame >= 0 && view_.body(path_.frame).moving)
    view_.body(path_.frame).trajectory->jumps(from, to, times);
  return times;
}

std::vector<double> Mover::cuts(double from, double to) const {
  std::vector<double> times = frame_jumps(from, to);
  times.insert(times.end(), {from, to});
  for (double t : path_.times)
    if (t > from && t < to) times.push_back(t);
  const BroadPhase::Span& span = view_.span();
  for (int i = span.index(from) + 1; i < static_cast<int>(span.blocks.size()); ++i)
    if (span.start(i) > from && span.start(i) < to) times.push_back(span.start(i));
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::vector<int> Mover::candidates(double from, double to, double down) const {
  std::vector<int> ids;
  view_.visit(swept(during(from, to), down), 0.5 * (from + to), [&](int id) {
    ids.push_back(id);
    return false;
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace surefoot
