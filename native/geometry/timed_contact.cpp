#include "geometry/timed_contact.hpp"

namespace surefoot {

Verdict TimedContact::judge(int id, double from, double to) const {
  const Mover::During d = mover_.during(from, to);
  const Slack s = mover_.slack(id, d);
  if (s.across == kInfinity) return Verdict::kUnsure;
  const Body& body = mover_.view().body(id);
  const Frame& frame = mover_.view().frame(id, d.middle());
  if (!surface_touches(*body.mesh, frame, d.foot, s.across, s.up))
    return inside(body, frame, d.foot) ? Verdict::kYes : Verdict::kNo;
  if (s.across == 0 && s.up == 0) return Verdict::kYes;
  return surface_touches(*body.mesh, frame, d.foot, -s.across, -s.up) ? Verdict::kYes
                                                                      : Verdict::kUnsure;
}

bool TimedContact::apart(int id, const Mover::During& d) const {
  const Slack s = mover_.slack(id, d);
  if (s.across == kInfinity) return false;
  const Body& body = mover_.view().body(id);
  const Frame& frame = mover_.view().frame(id, d.middle());
  return !surface_touches(*body.mesh, frame, d.foot, s.across, s.up) &&
         !inside(body, frame, d.foot);
}

bool TimedContact::inside(const Body& body, const Frame& frame, Vec3 foot) const {
  const double middle = foot.z + 0.5 * (mover_.shape().step + mover_.shape().height);
  return body.solid && body.mesh->encloses(frame, {foot.x, foot.y, middle});
}

bool TimedContact::surface_touches(const Mesh& mesh, const Frame& frame, Vec3 foot, double across,
                                   double up) const {
  const Shape& shape = mover_.shape();
  if (shape.capsule) {
    CapsuleShape capsule = capsule_of(shape, foot);
    capsule.radius += std::copysign(std::hypot(across, up), across + up);
    return capsule.radius > 0 && mesh.surface_overlaps(frame, capsule);
  }
  const UprightCylinder cylinder{foot.x, foot.y, shape.radius + across, foot.z + shape.step - up,
                                 foot.z + shape.height + up};
  return cylinder.radius > 0 && cylinder.bottom < cylinder.top &&
         mesh.surface_overlaps(frame, cylinder);
}

template <class Visitor>
void TimedContact::visit_spans(int id, double from, double to, Visitor visitor) const {
  // Pieces without jumps of the body.
  std::vector<double> times{from, to};
  const Body& body = mover_.view().body(id);
  if (body.moving) body.trajectory->jumps(from, to, times);
  Spans stack = between(std::move(times));
  while (!stack.empty()) {
    const auto [a, b] = stack.back();
    stack.pop_back();
    Verdict verdict = judge(id, a, b);
    const double middle = 0.5 * (a + b);
    const bool smallest = b - a <= tolerance_ || !(a < middle && middle < b);
    if (verdict == Verdict::kUnsure && smallest) verdict = Verdict::kYes;
    if (verdict == Verdict::kYes && visitor(a, b)) return;
    if (verdict == Verdict::kUnsure) {
      stack.emplace_back(middle, b);
      stack.emplace_back(a, middle);
    }
  }
}

double TimedContact::first(int id, double from, double to) const {
  double found = kInfinity;
  visit_spans(id, from, to, [&](double start, double) {
    found = start;
    return true;
  });
  return found;
}

void TimedContact::add_spans(int id, double from, double to, Spans& out) const {
  visit_spans(id, from, to, [&](double start, double end) {
    out.emplace_back(start, end);
    return false;
  });
}

}  // namespace surefoot
