#include "control/adaptation.hpp"

#include <algorithm>

namespace surefoot::control {
namespace {

// Directions of the first rays, from the target's [rad], in the order they are sent.
constexpr double kRays[] = {0.0, 0.15, -0.15, 0.3, -0.3};
constexpr double kStride = 0.3;    // [m] between looks along a ray
constexpr double kRefined = 0.02;  // [m] to which the first failure is found
// [s]: failures that are farther apart in time are of what has moved on meanwhile.
constexpr double kEncounter = 0.6;
// [m]: whoever fails this near to where one failed before has not kept away from it enough.
constexpr double kAgain = 0.1;
constexpr int kFartherAgain = 2;  // attempts that such a failure counts as, beside its own

// How samples are fitted: on which side, and whether only those of the last encounter count.
struct Choice {
  int side;
  bool latest;
};

class Rays {
 public:
  Rays(Snapshot& view, const Needs& needs, const Configuration& start, double t, double speed)
      : view_(view),
        needs_(needs),
        start_(start),
        t_(t),
        speed_(speed),
        steepest_(std::cos(needs.max_slope)) {}

  // Whether what a ray has met moves, or may.
  bool passing() const { return passing_; }
  // The first place along a ray where a body cannot be when it gets there, in the start's frame.
  std::optional<Vec3> first(double heading, double length) {
    height_ = start_.level.z;
    ahead_ = {std::cos(heading), std::sin(heading), 0};
    double from = 0;
    double to = kStride;
    while (to < length && fine(to)) {
      from = to;
      to += kStride;
    }
    if (!(to < length)) return std::nullopt;
    while (to - from > kRefined) {
      const double middle = 0.5 * (from + to);
      (fine(middle) ? from : to) = middle;
    }
    return place(to);
  }

 private:
  Vec3 place(double d) const {
    return {start_.level.x + d * ahead_.x, start_.level.y + d * ahead_.y, height_};
  }
  bool fine(double d) {
    const Vec3 local = place(d);
    const double t = t_ + d / speed_;
    const Level world = world_level(&view_, start_.frame, {local.x, local.y, local.z, 0}, t);
    const Vec3 foot{world.x, world.y, world.z};
    const double step = needs_.shape.step;
    const Support ground = view_.support(foot, t, step, step);
    if (ground.body < 0 || ground.normal.z < steepest_) {
      passing_ = true;
      return false;
    }
    const Vec3 on{foot.x, foot.y, ground.height};
    const bool hit = view_.visit(shape_box(needs_.shape, on), t, [&](int id) {
      if (!view_.overlaps(id, t, needs_.shape, on)) return false;
      passing_ = passing_ || start_.frame >= 0 || view_.body(id).moving;
      return true;
    });
    if (!hit) height_ += ground.height - foot.z;
    return !hit;
  }

  Snapshot& view_;
  const Needs& needs_;
  const Configuration& start_;
  double t_, speed_, steepest_, height_ = 0;
  bool passing_ = false;
  Vec3 ahead_;  // along the ray
};

}  // namespace

void adapt(const Controller& controller, Snapshot& view, const Needs& needs, const Limits& limits,
           const Configuration& start, double t, const Target& target, const Adapting& how,
           Adapted& out) {
  Roller roller(controller, &view, needs, limits, true);
  out.samples.clear();
  out.attempts = 0;
  out.fitted = false;
  out.rollout = {};
  out.rollout.last = start;
  out.rollout.time = t;
  out.rollout.ending = Ending::kStuck;

  const auto seen = [&](double when) {
    const Vec3 p =
        target.frame < 0 ? target.place : view.frame(target.frame, when).apply(target.place);
    const Level local = frame_level(&view, start.frame, {p.x, p.y, p.z, 0}, when);
    return Vec3{local.x, local.y, local.z};
  };
  Vec3 there = seen(t);
  const double away = std::hypot(there.x - start.level.x, there.y - start.level.y);
  double last_failure = t + away / target.speed;
  there = seen(last_failure);
  bool passing = false;  // whether anything met so far will be gone a moment later
  if (how.rays) {
    Rays rays(view, needs, start, t, target.speed);
    const double bearing = std::atan2(there.y - start.level.y, there.x - start.level.x);
    const double length =
        std::hypot(there.x - start.level.x, there.y - start.level.y) - 0.5 * target.radius;
    for (const double beside : kRays)
      if (const auto sample = rays.first(bearing + beside, length)) out.samples.push_back(*sample);
    passing = rays.passing();
  }
  const std::vector<Vec3> sampled = out.samples;
  std::vector<double> when;  // of samples of encounters
  for (const Choice choice : {Choice{1, false}, {-1, false}, {1, true}, {-1, true}}) {
    if (choice.side < 0 && !how.sides) continue;
    // What moves was there, then: a cylinder about all places where it was in the way would be in
    // the way for ever. It is gone round where it is met, before it or behind it.
    if (choice.latest && !(how.moves && how.sides && passing)) break;
    out.samples = sampled;
    if (choice.latest) out.samples.clear();
    when.clear();
    int farther = 0;
    std::optional<Fitted> before;
    for (int attempt = 0; attempt < how.attempts; ++attempt) {
      const auto fit = [&] {
        return how.fit(
            {out.samples, start.level, seen(last_failure), how.size, choice.side, farther});
      };
      std::optional<Fitted> fitted = fit();
      if (!fitted && choice.latest && out.samples.size() > 1) {
        out.samples.erase(out.samples.begin(), out.samples.end() - 1);
        when.erase(when.begin(), when.end() - 1);
        fitted = fit();
      }
      out.fitted = fitted.has_value();
      // With the same parameters the same happens.
      if (!fitted || (before && *before == *fitted)) break;
      before = fitted;
      out.situation.obstacle = fitted->obstacle;
      out.situation.constants.assign(how.unsourced, 0.0);
      out.situation.constants.insert(out.situation.constants.end(), fitted->constants.begin(),
                                     fitted->constants.end());
      controller.confine(out.situation);
      ++out.attempts;
      roller.roll(start, t, target, out.situation, out.rollout);
      const Ending ending = out.rollout.ending;
      if (ending == Ending::kReached) return;
      if (ending != Ending::kCollided && ending != Ending::kUnsupported) break;
      last_failure = out.rollout.time;
      passing = passing || out.rollout.passing;
      const Vec3 failed = out.rollout.failure;
      const Level local =
          frame_level(&view, start.frame, {failed.x, failed.y, failed.z, 0}, last_failure);
      const bool again = std::any_of(out.samples.begin(), out.samples.end(), [&](const Vec3& p) {
        return std::hypot(p.x - local.x, p.y - local.y) < kAgain;
      });
      farther += again ? 1 + kFartherAgain : 1;
      if (choice.latest) {
        size_t kept = 0;
        for (size_t i = 0; i < when.size(); ++i) {
          if (std::abs(when[i] - last_failure) > kEncounter) continue;
          when[kept] = when[i];
          out.samples[kept++] = out.samples[i];
        }
        when.resize(kept);
        out.samples.resize(kept);
        when.push_back(last_failure);
      }
      out.samples.push_back({local.x, local.y, local.z});
    }
  }
}

}  // namespace surefoot::control
