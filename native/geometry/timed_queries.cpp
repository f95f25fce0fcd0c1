// Queries over spans of time: first contact along a path, and when a place can be stood on.
#include "geometry/checks.hpp"
#include "geometry/timed_contact.hpp"
#include "geometry/timed_ground.hpp"

namespace surefoot {
namespace {

// Bodies that a mover may touch in a stretch of time with no border of blocks and no jump of its
// frame inside; whether any came near at all.
bool gather(const Mover& mover, const TimedContact& contacts, double from, double to,
            std::vector<int>& near) {
  const Mover::During d = mover.along(from, to);
  Snapshot& view = mover.view();
  bool any = false;
  view.visit(mover.swept(d, 0), d.middle(), [&](int id) {
    any = true;
    std::vector<double> jumps;
    if (view.body(id).moving) view.body(id).trajectory->jumps(from, to, jumps);
    if (!jumps.empty() || !contacts.apart(id, d)) near.push_back(id);
    return false;
  });
  return any;
}

// The borders of blocks and the jumps of the frame.
std::vector<double> stretch_ends(const Mover& mover, double from, double to) {
  std::vector<double> times = mover.frame_jumps(from, to);
  const BroadPhase::Span& span = mover.view().span();
  for (int i = span.index(from) + 1; i < static_cast<int>(span.blocks.size()); ++i) {
    if (span.start(i) >= to) break;
    if (span.start(i) > from) times.push_back(span.start(i));
  }
  times.push_back(to);
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

Contact first_contact(Snapshot& view, const TimedPath& path, const Shape& shape, double tolerance) {
  const Mover mover(view, path, shape);
  const TimedContact contacts(mover, tolerance);
  Contact first;
  const double end = path.times.back();
  // Most of what is near a whole stretch is never touched: one look at each leaves little to do.
  std::vector<int> near;
  bool any = true;
  double from = path.times.front();
  for (const double to : stretch_ends(mover, from, end)) {
    if (!(from < to)) continue;
    near.clear();
    any = gather(mover, contacts, from, to, near);
    if (!near.empty()) {
      const std::vector<double> cuts = mover.cuts(from, to);
      for (size_t k = 0; k + 1 < cuts.size() && first.body < 0; ++k)
        for (int id : mover.candidates(cuts[k], cuts[k + 1], 0)) {
          if (std::find(near.begin(), near.end(), id) == near.end()) continue;
          const double time = contacts.first(id, cuts[k], std::min(cuts[k + 1], first.time));
          if (time < first.time) first = {time, id};
        }
      if (first.body >= 0) return first;
    }
    any = any || view.span().index(0.5 * (from + to)) != view.span().index(to);
    from = to;
  }
  if (!any) return first;
  // Something may jump in at the very last moment, which no span before it shows.
  for (int id : mover.candidates(end, end, 0))
    if (contacts.touches_at(id, end)) return {end, id};
  return first;
}

namespace {

// A stretch of time with the same bodies about.
struct Stretch {
  double from, to;
  std::vector<int> ids;
};

std::vector<Stretch> stretches(const Mover& mover, double start, double end, double band) {
  const std::vector<double> cuts = mover.cuts(start, end);
  std::vector<double> jumps = mover.frame_jumps(start, end);
  std::sort(jumps.begin(), jumps.end());
  std::vector<Stretch> out;
  for (size_t k = 0; k + 1 < cuts.size(); ++k) {
    std::vector<int> ids = mover.candidates(cuts[k], cuts[k + 1], band);
    const bool jumps_here = std::binary_search(jumps.begin(), jumps.end(), cuts[k]);
    if (!out.empty() && out.back().ids == ids && !jumps_here)
      out.back().to = cuts[k + 1];
    else
      out.push_back({cuts[k], cuts[k + 1], std::move(ids)});
  }
  return out;
}

}  // namespace

Spans safe_spans(Snapshot& view, const TimedPath& place, const Standing& standing, double start,
                 double end, double tolerance) {
  const Mover mover(view, place, standing.shape);
  const TimedContact contacts(mover, tolerance);
  TimedGround ground(mover, standing.max_slope, tolerance);
  Spans safe;
  std::vector<double> jumps = mover.frame_jumps(start, end);
  for (const Stretch& s : stretches(mover, start, end, ground.band())) {
    // What rests against the mover blocks all of the stretch or none of it: ask it first.
    Spans open{{s.from, s.to}};
    for (const bool moving : {false, true}) {
      Spans blocked;
      for (int id : s.ids)
        if (view.body(id).moving == moving)
          for (const auto& [a, b] : open) contacts.add_spans(id, a, b, blocked);
      open = without(open, merged(std::move(blocked)));
      if (open.empty()) break;
    }
    for (const auto& [a, b] : open) {
      Spans held;
      ground.add_spans(s.ids, a, b, held);
      for (const auto& [c, d] : held) append(safe, c, d);
    }
    for (int id : s.ids)
      if (view.body(id).moving)
        view.body(id).trajectory->jumps(s.from, std::nextafter(s.to, kInfinity), jumps);
  }
  // Which pose holds at a jump is known to within rounding: spans that begin or end at one stay
  // clear of it by as much.
  std::sort(jumps.begin(), jumps.end());
  const auto jumps_at = [&](double t) { return std::binary_search(jumps.begin(), jumps.end(), t); };
  const auto rounding = [](double t) { return 1e-12 * (1 + std::abs(t)); };
  const auto safe_at = [&](double t) {
    const std::vector<int> ids = mover.candidates(t, t, ground.band());
    const auto touches = [&](int id) { return contacts.touches_at(id, t); };
    return std::none_of(ids.begin(), ids.end(), touches) && ground.supported_at(ids, t);
  };
  for (auto& [a, b] : safe) {
    if (a > start && jumps_at(a)) a += rounding(a);
    if (jumps_at(b) && (b < end || !safe_at(b))) b -= rounding(b);
  }
  std::erase_if(safe, [](const auto& span) { return !(span.first < span.second); });
  return safe;
}

namespace {

// [s] that spans are halved to at least: less is below the rounding of times.
void check_tolerance(double tolerance) { check_number(tolerance, "tolerance", 1e-6, kInfinity); }

}  // namespace

void World::sweep(std::span<const TimedPath> paths, const Shape& shape, double tolerance,
                  std::span<Contact> out, const Batch& batch) const {
  check_count(out.size(), "out", paths.size(), "paths");
  check_shape(shape);
  check_tolerance(tolerance);
  if (paths.empty()) return;
  double from = kInfinity, to = -kInfinity;
  for (const TimedPath& path : paths) {
    require(!path.times.empty(), "a path needs at least one point");
    check_count(path.positions.size(), "positions", path.times.size(), "times");
    check_times(path.times, "times");
    check_increasing(path.times, "times");
    check_positions(path.positions, "positions");
    from = std::min(from, path.times.front());
    to = std::max(to, path.times.back());
  }
  with_span(BroadPhase::wanted(from, to), [&](const BroadPhase::Span& span) {
    for (const TimedPath& path : paths)
      if (path.frame != -1) check_body(path.frame, "frame");
    parallel_for(paths.size(), batch.threads, 1, batch.interrupt, [&](size_t first, size_t last) {
      Snapshot view(*this, span);
      for (size_t i = first; i < last; ++i)
        out[i] = first_contact(view, paths[i], shape, tolerance);
    });
  });
}

void World::safe_intervals(std::span<const int> frames, std::span<const Vec3> positions,
                           const Standing& standing, double start, double end, double tolerance,
                           std::span<std::vector<std::pair<double, double>>> out,
                           const Batch& batch) const {
  check_count(positions.size(), "positions", frames.size(), "frames");
  check_count(out.size(), "out", frames.size(), "frames");
  check_positions(positions, "positions");
  check_shape(standing.shape);
  check_number(standing.max_slope, "max_slope", 0, 1.6);
  check_time(start, "start");
  check_number(end, "end", start, kMaxTime);
  check_tolerance(tolerance);
  if (frames.empty()) return;
  with_span(BroadPhase::wanted(start, end), [&](const BroadPhase::Span& span) {
    for (const int frame : frames)
      if (frame != -1) check_body(frame, "frame");
    parallel_for(frames.size(), batch.threads, 1, batch.interrupt, [&](size_t first, size_t last) {
      Snapshot view(*this, span);
      for (size_t i = first; i < last; ++i) {
        const TimedPath place{frames[i], {&start, 1}, positions.subspan(i, 1)};
        out[i] = safe_spans(view, place, standing, start, end, tolerance);
      }
    });
  });
}

}  // namespace surefoot
