// When a mover touches a body.
//
// Nothing here samples at a fixed step. A span of time is judged at its middle with the shape
// grown, and again shrunk, by the most that anything can have moved within the span: clear when
// grown means clear throughout, touching when shrunk means touching throughout, anything else is
// halved, down to the tolerance, where it counts as touching.
#pragma once

#include "geometry/mover.hpp"
#include "geometry/spans.hpp"

namespace surefoot {

// What holds throughout a span of time.
enum class Verdict { kNo, kYes, kUnsure };

class TimedContact {
 public:
  TimedContact(const Mover& mover, double tolerance) : mover_(mover), tolerance_(tolerance) {}

  // Whether a body that does not jump keeps apart throughout, as far as a quick look can tell.
  bool apart(int id, const Mover::During& during) const;
  bool touches_at(int id, double t) const { return judge(id, t, t) == Verdict::kYes; }
  // First moment in [from, to] at which the body may touch, or infinity.
  double first(int id, double from, double to) const;
  // Adds the spans of [from, to] in which the body may touch.
  void add_spans(int id, double from, double to, Spans& out) const;

 private:
  Verdict judge(int id, double from, double to) const;
  // What holds when no surface comes within reach: inside stays inside, outside stays out.
  bool inside(const Body& body, const Frame& frame, Vec3 foot) const;
  // Whether the surface touches the shape grown (or, below zero, shrunk) across and upward.
  bool surface_touches(const Mesh& mesh, const Frame& frame, Vec3 foot, double across,
                       double up) const;
  // Calls visitor(start, end) for touching spans in order, until it returns true.
  template <class Visitor>
  void visit_spans(int id, double from, double to, Visitor visitor) const;

  const Mover& mover_;
  double tolerance_;
};

}  // namespace surefoot
