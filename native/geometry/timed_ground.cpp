#include "geometry/timed_ground.hpp"

namespace surefoot {
namespace {

// Ground this close to a foot holds it, however small its step height [m].
constexpr double kGroundContact = 1e-3;

}  // namespace

TimedGround::TimedGround(const Mover& mover, double max_slope, double tolerance)
    : mover_(mover),
      max_slope_(max_slope),
      tolerance_(tolerance),
      band_(std::max(mover.shape().step, kGroundContact)) {}

bool TimedGround::supported_at(const std::vector<int>& ids, double t) const {
  const Vec3 foot = mover_.during(t, t).foot;
  double best = kInfinity, cosine = -1;
  for (int id : ids) {
    const Frame& frame = mover_.view().frame(id, t);
    const Mesh& mesh = *mover_.view().body(id).mesh;
    const MeshHit hit = mesh.ray(frame, foot + Vec3{0, 0, band_}, {0, 0, -1}, 2 * band_);
    if (hit.triangle < 0 || hit.distance >= best) continue;
    best = hit.distance;
    const Vec3 normal = frame.turn * mesh.triangle(hit.triangle).area_normal();
    cosine = std::abs(normal.z) / length(normal);
  }
  return cosine >= std::cos(max_slope_) - 1e-12;
}

TimedGround::Surface TimedGround::surface(int id, const Mover::During& d, const Slack& s,
                                          double lean) {
  Surface found;
  const Mesh& mesh = *mover_.view().body(id).mesh;
  const Frame& frame = mover_.view().frame(id, d.middle());
  const Box column{{d.foot.x - s.across, d.foot.y - s.across, d.foot.z - band_ - s.up},
                   {d.foot.x + s.across, d.foot.y + s.across, d.foot.z + band_ + s.up}};
  gentle_.clear();
  double steepest = 0;
  mesh.visit_world_box(frame, column, [&](const Triangle& t, int index) {
    Box box;
    box.include(t.a);
    box.include(t.b);
    box.include(t.c);
    if (!box.overlaps(column)) return false;
    found.any = true;
    const Vec3 normal = t.area_normal();
    const double slope = std::acos(std::min(1.0, std::abs(normal.z) / length(normal)));
    found.gentle |= slope - lean <= max_slope_;
    if (slope + lean > max_slope_ + 1e-12) {
      found.steep = true;
    } else {
      steepest = std::max(steepest, slope);
      gentle_.push_back({t, index, normal.z > 0});
    }
    return false;
  });
  // The surface under the foot goes on in every direction for as far as the foot can stray,
  // and nowhere rises or falls out of reach meanwhile.
  const double stray = s.up + s.across * std::tan(steepest + lean);
  const double rounding = 1e-12 * (1 + std::abs(d.foot.x) + std::abs(d.foot.y));
  for (size_t i = 0; i < gentle_.size() && !found.held; ++i) {
    const Triangle& t = gentle_[i].triangle;
    if (t.area_normal().z == 0 || horizontal_margin(d.foot.x, d.foot.y, t) < -rounding) continue;
    const double height = plane_height(d.foot.x, d.foot.y, t) - d.foot.z;
    found.held = std::abs(height) + stray <= band_ && goes_on(mesh, i, d.foot, s.across);
  }
  return found;
}

bool TimedGround::goes_on(const Mesh& mesh, size_t start, Vec3 foot, double reach) {
  reached_.assign(1, start);
  for (size_t next = 0; next < reached_.size(); ++next) {
    const Patch& patch = gentle_[reached_[next]];
    const Vec3 corners[3] = {patch.triangle.a, patch.triangle.b, patch.triangle.c};
    for (int k = 0; k < 3; ++k) {
      if (horizontal_distance(foot.x, foot.y, corners[k], corners[(k + 1) % 3]) >= reach) continue;
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

// Yes: there is ground throughout. No: there is none throughout.
Verdict TimedGround::judge(const std::vector<int>& ids, double from, double to) {
  const Mover::During d = mover_.during(from, to);
  Surface all;
  bool still = true;
  for (int id : ids) {
    const Slack s = mover_.slack(id, d);
    if (s.across == kInfinity) return Verdict::kUnsure;
    const double lean = mover_.lean(id, d);
    still &= s.across == 0 && s.up == 0 && lean == 0;
    const Surface found = surface(id, d, s, lean);
    all.any |= found.any;
    all.gentle |= found.gentle;
    all.steep |= found.steep;
    all.held |= found.held;
  }
  if (still) return supported_at(ids, d.middle()) ? Verdict::kYes : Verdict::kNo;
  if (!all.any || !all.gentle) return Verdict::kNo;
  return all.held && !all.steep ? Verdict::kYes : Verdict::kUnsure;
}

void TimedGround::add_spans(const std::vector<int>& ids, double from, double to, Spans& out) {
  // Pieces without jumps.
  std::vector<double> times{from, to};
  for (int id : ids) {
    const Body& body = mover_.view().body(id);
    if (body.moving) body.trajectory->jumps(from, to, times);
  }
  Spans stack = between(std::move(times));
  while (!stack.empty()) {
    const auto [a, b] = stack.back();
    stack.pop_back();
    const Verdict verdict = judge(ids, a, b);
    if (verdict == Verdict::kYes) append(out, a, b);
    if (verdict != Verdict::kUnsure) continue;
    const double middle = 0.5 * (a + b);
    if (b - a > tolerance_ && a < middle && middle < b) {
      stack.emplace_back(middle, b);
      stack.emplace_back(a, middle);
    } else if (supported_at(ids, a) && supported_at(ids, middle) && supported_at(ids, b)) {
      // Shorter than the tolerance and held at both ends and between: an edge between two
      // triangles passed by.
      append(out, a, b);
    }
  }
}

}  // namespace surefoot
