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

  // The body touches at exactly this moment.
  bool touches_at(int id, double t) { return judge(id, t, t) == Verdict::kTouching; }

  // Free and supported at exactly this moment.
  bool safe_at(double t, double max_slope) {
    const std::vector<int> ids = candidates(t, t, band_);
    return std::none_of(ids.begin(), ids.end(), [&](int id) { return touches_at(id, t); }) &&
           supported_at(ids, t, max_slope);
  }

  // Adds the times in (from, to] at which something may jump.
  void add_jumps(const std::vector<int>& ids, double from, double to,
                 std::vector<double>& out) const {
    out.insert(out.end(), jumps_.begin(), jumps_.end());
    for (const int id : ids)
      if (view_.body(id).moving)
        view_.body(id).trajectory->jumps(from, std::nextafter(to, kInfinity), out);
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
      const double middle = 0.5 * (a + b);
      const bool smallest = b - a <= tolerance_ || !(a < middle && middle < b);
      if (verdict == Verdict::kUnsure && smallest) verdict = Verdict::kTouching;
      if (verdict == Verdict::kTouching && visitor(a, b)) return true;
      if (verdict == Verdict::kUnsure) {
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

  // The ground of one body around the foot, over a whole span.
  struct Ground {
    bool any = false;     // some surface may come under the foot
    bool gentle = false;  // some of it may be gentle enough
    bool steep = false;   // some of it may be too steep
    bool held = false;    // the foot is on gentle surface of this body throughout
  };

  Ground ground(int id, const Mover& m, const Slack& s, double lean, double middle,
                double max_slope) {
    Ground g;
    const Mesh& mesh = *view_.body(id).mesh;
    const Frame& frame = view_.frame(id, middle);
    const Box column{{m.foot.x - s.across, m.foot.y - s.across, m.foot.z - band_ - s.up},
                     {m.foot.x + s.across, m.foot.y + s.across, m.foot.z + band_ + s.up}};
    gentle_.clear();
    double steepest = 0;
    mesh.visit_world_box(frame, column, [&](const Triangle& t, int index) {
      Box box;
      box.include(t.a);
      box.include(t.b);
      box.include(t.c);
      if (!box.overlaps(column)) return false;
      g.any = true;
      const Vec3 normal = t.area_normal();
      const double slope = std::acos(std::min(1.0, std::abs(normal.z) / length(normal)));
      g.gentle |= slope - lean <= max_slope;
      if (slope + lean > max_slope + 1e-12) {
        g.steep = true;
      } else {
        steepest = std::max(steepest, slope);
        gentle_.push_back({t, index, normal.z > 0});
      }
      return false;
    });
    // The surface under the foot goes on in every direction for as far as the foot can stray,
    // and nowhere rises or falls out of reach meanwhile.
    const double stray = s.up + s.across * std::tan(steepest + lean);
    for (size_t i = 0; i < gentle_.size() && !g.held; ++i) {
      const Triangle& t = gentle_[i].triangle;
      const double rounding = 1e-12 * (1 + std::abs(m.foot.x) + std::abs(m.foot.y));
      if (t.area_normal().z == 0 || horizontal_margin(m.foot.x, m.foot.y, t) < -rounding) continue;
      const double height = plane_height(m.foot.x, m.foot.y, t) - m.foot.z;
      g.held = std::abs(height) + stray <= band_ && goes_on(mesh, i, m.foot, s.across);
    }
    return g;
  }

  // Whether gentle triangles, joined by edges, cover everything within `reach` of the foot.
  bool goes_on(const Mesh& mesh, size_t start, Vec3 foot, double reach) {
    reached_.assign(1, start);
    for (size_t next = 0; next < reached_.size(); ++next) {
      const Patch& patch = gentle_[reached_[next]];
      const Vec3 corners[3] = {patch.triangle.a, patch.triangle.b, patch.triangle.c};
      for (int k = 0; k < 3; ++k) {
        if (horizontal_distance(foot.x, foot.y, corners[k], corners[(k + 1) % 3]) >= reach)
          continue;
        const int across = mesh.neighbours(patch.index)[k];
        const auto found = std::find_if(gentle_.begin(), gentle_.end(), [&](const Patch& p) {
          return p.index == across && p.up == patch.up;
        });
        if (found == gentle_.end()) return false;
        const size_t i = found - gentle_.begin();
        if (std::find(reached_.begin(), reached_.end(), i) == reached_.end()) reached_.push_back(i);
      }
    }
    return true;
  }

  Verdict judge_support(const std::vector<int>& ids, double from, double to, double max_slope) {
    const double middle = 0.5 * (from + to);
    const Mover m = mover(from, to);
    Ground all;
    bool still = true;
    for (int id : ids) {
      const Body& body = view_.body(id);
      const Slack s = slack(id, m, from, to);
      if (s.across == kInfinity) return Verdict::kUnsure;
      double lean = id == path_.frame ? m.tilt : 0;
      if (id != path_.frame && body.moving) lean = strayed(body, from, middle, to).tilt;
      still &= s.across == 0 && s.up == 0 && lean == 0;
      const Ground g = ground(id, m, s, lean, middle, max_slope);
      all.any |= g.any;
      all.gentle |= g.gentle;
      all.steep |= g.steep;
      all.held |= g.held;
    }
    if (still) return supported_at(ids, middle, max_slope) ? Verdict::kTouching : Verdict::kClear;
    if (!all.any || !all.gentle) return Verdict::kClear;    // no ground here throughout
    if (all.held && !all.steep) return Verdict::kTouching;  // ground here throughout
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
      const double middle = 0.5 * (a + b);
      if (b - a > tolerance_ && a < middle && middle < b) {
        stack.emplace_back(middle, b);
        stack.emplace_back(a, middle);
      } else if (supported_at(ids, a, max_slope) && supported_at(ids, middle, max_slope) &&
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

  // Scratch of ground().
  struct Patch {
    Triangle triangle;
    int index;
    bool up;
  };
  std::vector<Patch> gentle_;
  std::vector<size_t> reached_;
};

void World::sweep(std::span<const TimedPath> paths, const Shape& shape, double tolerance,
                  std::span<Contact> out, const Batch& batch) const {
  if (paths.empty()) return;
  double from = kInfinity, to = -kInfinity;
  for (const TimedPath& path : paths) {
    from = std::min(from, path.times.front());
    to = std::max(to, path.times.back());
  }
  const auto one = [&](Snapshot& view, const TimedPath& path) {
    TimedQuery query(view, path, shape, tolerance);
    Contact contact;
    const double end = path.times.back();
    const std::vector<double> cuts = query.cuts(path.times.front(), end);
    for (size_t k = 0; k + 1 < cuts.size() && contact.body < 0; ++k)
      for (int id : query.candidates(cuts[k], cuts[k + 1], 0)) {
        const double until = std::min(cuts[k + 1], contact.time);
        const double time = query.first_contact(id, cuts[k], until);
        if (time < contact.time) contact = {time, id};
      }
    if (contact.body >= 0) return contact;
    // Something may jump in at the very last moment, which no span before it shows.
    for (int id : query.candidates(end, end, 0))
      if (query.touches_at(id, end)) return Contact{end, id};
    return contact;
  };
  with_span(BroadPhase::wanted(from, to), [&](const BroadPhase::Span& span) {
    parallel_for(paths.size(), batch.threads, 1, batch.interrupt, [&](size_t first, size_t last) {
      Snapshot view(*this, span);
      for (size_t i = first; i < last; ++i) out[i] = one(view, paths[i]);
    });
  });
}

namespace {

// A stretch of time with the same bodies about.
struct Stretch {
  double from, to;
  std::vector<int> ids;
};

}  // namespace

void World::safe_intervals(std::span<const int> frames, std::span<const Vec3> positions,
                           const Standing& standing, double start, double end, double tolerance,
                           std::span<std::vector<std::pair<double, double>>> out,
                           const Batch& batch) const {
  if (frames.empty()) return;
  const auto one = [&](Snapshot& view, size_t i) {
    const double times[1] = {start};
    const TimedPath path{frames[i], times, positions.subspan(i, 1)};
    TimedQuery query(view, path, standing.shape, tolerance);
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
    std::vector<double> jumps;
    for (const Stretch& s : stretches) {
      Spans blocked;
      for (int id : s.ids) query.blocked(id, s.from, s.to, blocked);
      for (const auto& [a, b] : complement(merged(std::move(blocked)), s.from, s.to)) {
        Spans held;
        query.supported(s.ids, a, b, standing.max_slope, held);
        for (const auto& [c, d] : held) append(free, c, d);
      }
      query.add_jumps(s.ids, s.from, s.to, jumps);
    }
    // Which pose holds at a jump is known to within rounding: spans that begin or end at one
    // stay clear of it by as much.
    std::sort(jumps.begin(), jumps.end());
    const auto jumps_at = [&](double t) {
      return std::binary_search(jumps.begin(), jumps.end(), t);
    };
    const auto rounding = [](double t) { return 1e-12 * (1 + std::abs(t)); };
    for (auto& [a, b] : free) {
      if (a > start && jumps_at(a)) a += rounding(a);
      if (jumps_at(b) && (b < end || !query.safe_at(b, standing.max_slope))) b -= rounding(b);
    }
    std::erase_if(free, [](const auto& span) { return !(span.first < span.second); });
    out[i] = std::move(free);
  };
  with_span(BroadPhase::wanted(start, end), [&](const BroadPhase::Span& span) {
    parallel_for(frames.size(), batch.threads, 1, batch.interrupt, [&](size_t first, size_t last) {
      Snapshot view(*this, span);
      for (size_t i = first; i < last; ++i) one(view, i);
    });
  });
}

}  // namespace surefoot
