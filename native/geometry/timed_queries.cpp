// Queries over spans of time: first contact along a path, and when a place can be stood on.
//
// Nothing here samples at a fixed step. A span is judged at its middle with the shape grown, and
// again shrunk, by the most that anything can have moved within the span: clear when grown means
// clear throughout, touching when shrunk means touching throughout, anything else is halved, down
// to the tolerance, where it counts as touching.
#include <optional>

#include "geometry/world.hpp"

namespace surefoot {
namespace {

using Spans = std::vector<std::pair<double, double>>;

// Ground this close to a foot holds it, however small its step height [m].
constexpr double kGroundContact = 1e-3;

// How far things can stray from where they are at the middle of a span.
struct Slack {
  double across, up;
};

// Adds a span, joining it to the last one when they touch.
void append(Spans& spans, double from, double to) {
  if (!spans.empty() && from <= spans.back().second)
    spans.back().second = std::max(spans.back().second, to);
  else
    spans.emplace_back(from, to);
}

Spans merged(Spans spans) {
  std::sort(spans.begin(), spans.end());
  Spans out;
  for (const auto& [from, to] : spans) append(out, from, to);
  return out;
}

Spans complement(const Spans& blocked, double start, double end) {
  Spans out;
  double from = start;
  for (const auto& [a, b] : blocked) {
    if (a > from) out.emplace_back(from, a);
    from = std::max(from, b);
  }
  if (from < end) out.emplace_back(from, end);
  return out;
}

}  // namespace

// A shape that stands at, or moves along, a path in a body's frame, among moving bodies.
class TimedQuery {
 public:
  TimedQuery(Snapshot& view, const TimedPath& path, const Shape& shape, double tolerance)
      : view_(view),
        path_(path),
        shape_(shape),
        tolerance_(tolerance),
        band_(std::max(shape.step, kGroundContact)) {}

  // Straight pieces between the path's times, the blocks' borders and all jumps of the frame.
  std::vector<double> cuts(double from, double to) {
    std::vector<double> times{from, to};
    for (double t : path_.times)
      if (t > from && t < to) times.push_back(t);
    const BroadPhase::Span& span = view_.span();
    for (int i = span.index(from) + 1; i < static_cast<int>(span.blocks.size()); ++i)
      if (span.start(i) > from && span.start(i) < to) times.push_back(span.start(i));
    if (path_.frame >= 0 && view_.body(path_.frame).moving)
      view_.body(path_.frame).trajectory->jumps(from, to, jumps_);
    times.insert(times.end(), jumps_.begin(), jumps_.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }

  double ground_band() const { return band_; }

  // The frame itself does not jump at this cut.
  bool joins(double cut) const {
    return std::find(jumps_.begin(), jumps_.end(), cut) == jumps_.end();
  }

  // Bodies that may come near between two neighbouring cuts, lowest id first.
  std::vector<int> candidates(double from, double to, double down) {
    const Box box = swept(from, to, down);
    std::vector<int> ids;
    view_.visit(box, 0.5 * (from + to), [&](int id) {
      ids.push_back(id);
      return false;
    });
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  // First moment in [from, to] at which the body may touch, or infinity.
  double first_contact(int id, double from, double to) {
    double found = kInfinity;
    each_piece(id, from, to, [&](double a, double b) {
      contact_spans(id, a, b, [&](double touch, double) {
        found = touch;
        return true;
      });
      return found < kInfinity;
    });
    return found;
  }

  void blocked(int id, double from, double to, Spans& out) {
    each_piece(id, from, to, [&](double a, double b) {
      contact_spans(id, a, b, [&](double start, double end) {
        out.emplace_back(start, end);
        return false;
      });
      return false;
    });
  }

  // Spans of [from, to] in which the foot has ground of an allowed slope within the step height.
  void supported(const std::vector<int>& ids, double from, double to, double max_slope,
                 Spans& out) {
    std::vector<double> times{from, to};
    for (int id : ids)
      if (view_.body(id).moving) view_.body(id).trajectory->jumps(from, to, times);
    std::sort(times.begin(), times.end());
    for (size_t i = 0; i + 1 < times.size(); ++i)
      support_spans(ids, times[i], times[i + 1], max_slope, out);
  }

 private:
  struct Mover {
    Vec3 foot;        // in the world, at the middle
    Vec3 shift;       // how far it strays per axis, by its frame's motion and its own
    Vec3 own;         // by its own motion along the path alone
    double tilt = 0;  // of its frame
  };

  Vec3 local(double t) const {
    const auto& times = path_.times;
    if (times.size() <= 1 || t <= times.front()) return path_.positions.front();
    if (t >= times.back()) return path_.positions.back();
    const size_t i = std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1;
    const double s = (t - times[i]) / (times[i + 1] - times[i]);
    return path_.positions[i] + (path_.positions[i + 1] - path_.positions[i]) * s;
  }

  Mover mover(double from, double to) {
    const double middle = 0.5 * (from + to);
    const Vec3 here = local(middle);
    const Vec3 own = abs(local(to) - local(from)) * 0.5;
    Mover m;
    if (path_.frame < 0 || !view_.body(path_.frame).moving) {
      m.foot = path_.frame < 0 ? here : view_.body(path_.frame).rest.apply(here);
      m.own = path_.frame < 0 ? own : view_.body(path_.frame).rest.turn.spread(own);
      m.shift = m.own;
      return m;
    }
    const Body& body = view_.body(path_.frame);
    const Travel travel = strayed(body, from, middle, to);
    const Frame& frame = view_.frame(path_.frame, middle);
    m.foot = frame.apply(here);
    const double reach = length(own), turned = travel.turn * reach;
    m.own = frame.turn.spread(own) + Vec3{turned, turned, travel.tilt * reach};
    const double arm = length(here) + reach;
    m.shift = travel.shift + frame.turn.spread(own) +
              Vec3{travel.turn * arm, travel.turn * arm, travel.tilt * arm};
    m.tilt = travel.tilt;
    return m;
  }

  static Travel strayed(const Body& body, double from, double middle, double to) {
    return max(body.trajectory->travel(from, middle), body.trajectory->travel(middle, to));
  }

  // How far surfaces of the body stray, seen from the mover.
  Slack slack(int id, const Mover& m, double from, double to) {
    // Farthest point of the shape from its foot.
    const double reach = std::hypot(shape_.radius, std::max(shape_.height, shape_.step));
    const Body& body = view_.body(id);
    if (id == path_.frame) {
      // Both ride together: only the path itself and a leaning floor move anything, as a turn
      // about the vertical leaves an upright round shape as it is.
      if (m.tilt >= 0.5) return {kInfinity, kInfinity};
      const double lean = m.tilt * reach / (1 - m.tilt);
      return {std::hypot(m.own.x, m.own.y) + lean, m.own.z + lean};
    }
    Vec3 shift = m.shift;
    if (body.moving) {
      const double middle = 0.5 * (from + to);
      const Travel travel = strayed(body, from, middle, to);
      shift = shift + travel.shift;
      if (travel.turn > 0) {
        if (travel.turn >= 0.5) return {kInfinity, kInfinity};
        // Only points near the shape matter, and no point is farther out than the mesh.
        const double distance = length(m.foot - view_.frame(id, middle).origin) + reach;
        const double arm =
            std::min(body.mesh->radius(), (distance + length(shift)) / (1 - travel.turn));
        shift = shift + Vec3{travel.turn * arm, travel.turn * arm, travel.tilt * arm};
      }
    }
    return {std::hypot(shift.x, shift.y), shift.z};
  }

  Box swept(double from, double to, double down) {
    const Mover m = mover(from, to);
    Box box = shape_box(shape_, m.foot);
    box.lo.z = std::min(box.lo.z, m.foot.z - down);
    return {box.lo - m.shift, box.hi + m.shift};
  }

  // Splits at the body's jumps; visitor(a, b) until it returns true.
  template <class Visitor>
  void each_piece(int id, double from, double to, Visitor visitor) {
    const Body& body = view_.body(id);
    if (!body.moving) {
      visitor(from, to);
      return;
    }
    std::vector<double> times{from, to};
    body.trajectory->jumps(from, to, times);
    std::sort(times.begin(), times.end());
    for (size_t i = 0; i + 1 < times.size(); ++i)
      if (visitor(times[i], times[i + 1])) return;
  }

  enum class Verdict { kClear, kTouching, kUnsure };

  Verdict judge(int id, double from, double to) {
    const double middle = 0.5 * (from + to);
    const Mover m = mover(from, to);
    const Slack s = slack(id, m, from, to);
    if (s.across == kInfinity) return Verdict::kUnsure;
    const Body& body = view_.body(id);
    const Frame& frame = view_.frame(id, middle);
    if (!surface_touches(*body.mesh, frame, m.foot, s.across, s.up)) {
      // No surface comes within reach: what is inside stays inside, what is outside stays out.
      const double inside = m.foot.z + 0.5 * (shape_.step + shape_.height);
      return body.solid && body.mesh->encloses(frame, {m.foot.x, m.foot.y, inside})
                 ? Verdict::kTouching
                 : Verdict::kClear;
    }
    if (s.across == 0 && s.up == 0) return Verdict::kTouching;
    return surface_touches(*body.mesh, frame, m.foot, -s.across, -s.up) ? Verdict::kTouching
                                                                        : Verdict::kUnsure;
  }

  // Whether the surface touches the shape grown (or, below zero, shrunk) across and upward.
  bool surface_touches(const Mesh& mesh, const Frame& frame, Vec3 foot, double across,
                       double up) const {
    if (shape_.capsule) {
      CapsuleShape capsule = capsule_of(shape_, foot);
      capsule.radius += std::copysign(std::hypot(across, up), across + up);
      return capsule.radius > 0 && mesh.surface_overlaps(frame, capsule);
    }
    const UprightCylinder cylinder{foot.x, foot.y, shape_.radius + across,
                                   foot.z + shape_.step - up, foot.z + shape_.height + up};
    return cylinder.radius > 0 && cylinder.bottom < cylinder.top &&
           mesh.surface_overlaps(frame, cylinder);
  }

  // Calls visitor(start, end) for touching spans in order, until it returns true.
  template <class Visitor>
  bool contact_spans(int id, double from, double to, Visitor visitor) {
    std::vector<std::pair<double, double>> stack{{from, to}};
    while (!stack.empty()) {
      const auto [a, b] = stack.back();
      stack.pop_back();
      Verdict verdict = judge(id, a, b);
      if (verdict == Verdict::kUnsure && b - a <= tolerance_) verdict = Verdict::kTouching;
      if (verdict == Verdict::kTouching && visitor(a, b)) return true;
      if (verdict == Verdict::kUnsure) {
        const double middle = 0.5 * (a + b);
        stack.emplace_back(middle, b);
        stack.emplace_back(a, middle);
      }
    }
    return false;
  }

  // --- support ---------------------------------------------------------------------------------

  bool supported_at(const std::vector<int>& ids, double t, double max_slope) {
    const Vec3 foot = mover(t, t).foot;
    double best = kInfinity;
    double cosine = -1;
    for (int id : ids) {
      const Frame& frame = view_.frame(id, t);
      const Mesh& mesh = *view_.body(id).mesh;
      const MeshHit hit = mesh.ray(frame, foot + Vec3{0, 0, band_}, {0, 0, -1}, 2 * band_);
      if (hit.triangle < 0 || hit.distance >= best) continue;
      best = hit.distance;
      const Vec3 normal = frame.turn * mesh.triangle(hit.triangle).area_normal();
      cosine = std::abs(normal.z) / length(normal);
    }
    return cosine >= std::cos(max_slope) - 1e-12;
  }

  Verdict judge_support(const std::vector<int>& ids, double from, double to, double max_slope) {
    const double middle = 0.5 * (from + to);
    const Mover m = mover(from, to);
    bool held = false, steep = false, any = false, gentle = false, still = true;
    for (int id : ids) {
      const Body& body = view_.body(id);
      const Slack s = slack(id, m, from, to);
      if (s.across == kInfinity) return Verdict::kUnsure;
      double lean = id == path_.frame ? m.tilt : 0;
      if (id != path_.frame && body.moving) lean = strayed(body, from, middle, to).tilt;
      still &= s.across == 0 && s.up == 0 && lean == 0;
      const Box column{{m.foot.x - s.across, m.foot.y - s.across, m.foot.z - band_ - s.up},
                       {m.foot.x + s.across, m.foot.y + s.across, m.foot.z + band_ + s.up}};
      body.mesh->visit_world_box(view_.frame(id, middle), column, [&](const Triangle& t, int) {
        Box box;
        box.include(t.a);
        box.include(t.b);
        box.include(t.c);
        if (!box.overlaps(column)) return false;
        any = true;
        const Vec3 normal = t.area_normal();
        const double slope = std::acos(std::min(1.0, std::abs(normal.z) / length(normal)));
        // The line meets the triangle throughout, within the band throughout.
        const double margin = normal.z == 0 ? -1 : horizontal_margin(m.foot.x, m.foot.y, t);
        if (slope + lean > max_slope + 1e-12) {
          steep = true;
          if (slope - lean <= max_slope) gentle = true;
          return false;
        }
        gentle = true;
        const double rounding = 1e-12 * (1 + std::abs(m.foot.x) + std::abs(m.foot.y));
        if (margin + rounding < s.across) return false;
        const double height = plane_height(m.foot.x, m.foot.y, t) - m.foot.z;
        const double stray = s.up + s.across * std::tan(slope + lean);
        held |= std::abs(height) + stray <= band_;
        return false;
      });
    }
    if (still) return supported_at(ids, middle, max_slope) ? Verdict::kTouching : Verdict::kClear;
    if (!any || (steep && !gentle)) return Verdict::kClear;  // no ground here throughout
    if (held && !steep) return Verdict::kTouching;           // ground here throughout
    return Verdict::kUnsure;
  }

  void support_spans(const std::vector<int>& ids, double from, double to, double max_slope,
                     Spans& out) {
    std::vector<std::pair<double, double>> stack{{from, to}};
    while (!stack.empty()) {
      const auto [a, b] = stack.back();
      stack.pop_back();
      const Verdict verdict = judge_support(ids, a, b, max_slope);
      if (verdict == Verdict::kTouching) append(out, a, b);
      if (verdict != Verdict::kUnsure) continue;
      if (b - a > tolerance_) {
        const double middle = 0.5 * (a + b);
        stack.emplace_back(middle, b);
        stack.emplace_back(a, middle);
      } else if (supported_at(ids, a, max_slope) && supported_at(ids, 0.5 * (a + b), max_slope) &&
                 supported_at(ids, b, max_slope)) {
        // Shorter than the tolerance and held at both ends and between: an edge between two
        // triangles passed by.
        append(out, a, b);
      }
    }
  }

  Snapshot& view_;
  const TimedPath& path_;
  const Shape& shape_;
  double tolerance_;
  double band_;  // how far above or below the foot its ground may be
  std::vector<double> jumps_;
};

void World::sweep(std::span<const TimedPath> paths, const Shape& shape, double tolerance,
                  std::span<Contact> out, const Batch& batch) const {
  if (paths.empty()) return;
  double from = kInfinity, to = -kInfinity;
  for (const TimedPath& path : paths) {
    from = std::min(from, path.times.front());
    to = std::max(to, path.times.back());
  }
  with_span(from, to, [&](const BroadPhase::Span& span) {
    parallel_for(paths.size(), batch.threads, 4, batch.interrupt, [&](size_t first, size_t last) {
      Snapshot view(*this, span);
      for (size_t i = first; i < last; ++i) {
        TimedQuery query(view, paths[i], shape, tolerance);
        Contact contact;
        const std::vector<double> cuts = query.cuts(paths[i].times.front(), paths[i].times.back());
        for (size_t k = 0; k + 1 < cuts.size() && contact.body < 0; ++k)
          for (int id : query.candidates(cuts[k], cuts[k + 1], 0)) {
            const double until = std::min(cuts[k + 1], contact.time);
            const double time = query.first_contact(id, cuts[k], until);
            if (time < contact.time) contact = {time, id};
          }
        out[i] = contact;
      }
    });
  });
}

void World::safe_intervals(std::span<const int> frames, std::span<const Vec3> positions,
                           const Standing& standing, double start, double end, double tolerance,
                           std::span<std::vector<std::pair<double, double>>> out,
                           const Batch& batch) const {
  if (frames.empty()) return;
  with_span(start, end, [&](const BroadPhase::Span& span) {
    parallel_for(frames.size(), batch.threads, 4, batch.interrupt, [&](size_t first, size_t last) {
      Snapshot view(*this, span);
      for (size_t i = first; i < last; ++i) {
        const double times[1] = {start};
        const TimedPath path{frames[i], times, positions.subspan(i, 1)};
        TimedQuery query(view, path, standing.shape, tolerance);
        // Neighbouring cuts with the same bodies about are judged as one span.
        struct Stretch {
          double from, to;
          std::vector<int> ids;
        };
        std::vector<Stretch> stretches;
        const std::vector<double> cuts = query.cuts(start, end);
        for (size_t k = 0; k + 1 < cuts.size(); ++k) {
          std::vector<int> ids = query.candidates(cuts[k], cuts[k + 1], query.ground_band());
          if (!stretches.empty() && stretches.back().ids == ids && query.joins(cuts[k]))
            stretches.back().to = cuts[k + 1];
          else
            stretches.push_back({cuts[k], cuts[k + 1], std::move(ids)});
        }
        Spans free;
        for (const Stretch& s : stretches) {
          Spans blocked;
          for (int id : s.ids) query.blocked(id, s.from, s.to, blocked);
          for (const auto& [a, b] : complement(merged(std::move(blocked)), s.from, s.to)) {
            Spans held;
            query.supported(s.ids, a, b, standing.max_slope, held);
            for (const auto& [c, d] : held) append(free, c, d);
          }
        }
        out[i] = std::move(free);
      }
    });
  });
}

}  // namespace surefoot
