// Ways from surface to surface: jumps that are tried under a budget, and the one that is decided
// upon (lopez2012, 4.1 to 4.3).
#include "topology/atlas.hpp"

namespace surefoot::topology {
namespace {

// Shares of the upward impulse that are tried: the arc between two points is not unique until it
// is fixed. A short flight leaves least to foresee; a high one clears edges.
constexpr double kImpulses[] = {0.55, 0.7, 0.85, 1.0};
constexpr double kEffort = 0.97;  // of what can be done, that is relied on
constexpr double kRoom = 0.12;    // [m] around a flight for each m/s between the grounds
constexpr double kMostRoom = 0.1;
constexpr double kFlight = 0.4;      // [s] that a flight takes, about
constexpr double kMostStray = 0.04;  // [m] by which a landing may be off, where one dares to jump
constexpr double kTuck = 0.5;        // share of a step by which feet are drawn up over an edge
constexpr int kDraws = 6;            // looks for a configuration with room to stand
constexpr int kPartners = 3;         // partners that a sampled configuration is tried with
constexpr int kEnough = 48;          // tries after which what rests is taken to be known
constexpr int kSeldom = 60;          // [frames] between tries of what was tried often in vain
constexpr int kArc = 10;             // pieces that a flight is made of
constexpr int kChecked = 10;         // possible landings whose flight is looked at, at most
constexpr double kSteady =
    0.35;  // [m/s] grounds that move past each other faster are no step apart

Vec3 velocity_at(const Thing& thing, Vec3 point) {
  return thing.twist.linear + cross(thing.twist.angular, point - thing.pose.position);
}

}  // namespace

// The best way from `start`, in the world at `t`, to a configuration of the other surface.
bool Atlas::try_jump(Snapshot& view, const Relation& r, int from, int to, double t, Vec3 start,
                     Decided& best) {
  const int a = surfaces_[r.from].body, b = surfaces_[r.to].body;
  const Thing &near = things_[a], &far = things_[b];
  const Vec3 landing = far.roadmap->nodes()[to].position;
  const Vec3 leaving = velocity_at(near, start);
  const Vec3 now = view.frame(b, t).apply(landing);
  const Vec3 way = now - start;
  const double run = std::hypot(way.x, way.y);

  // On foot, where little ground is missing and it does not move away.
  const Skill& walk = skills_.front();
  if (std::abs(way.z) <= walk.shape.step && length(velocity_at(far, now) - leaving) < kSteady &&
      run < 4 * settings_.stride + 0.3) {
    constexpr int kLooks = 12;
    double missing = 0, worst = 0;
    for (int k = 1; k < kLooks; ++k) {
      const Vec3 p = start + way * (static_cast<double>(k) / kLooks);
      const double band = walk.shape.step + 0.01;
      const auto holds = [&](int id) {
        return view.body(id)
                   .mesh->ray(view.frame(id, t), p + Vec3{0, 0, band}, {0, 0, -1}, 2 * band)
                   .triangle >= 0;
      };
      missing = holds(a) || holds(b) ? 0 : missing + run / kLooks;
      worst = std::max(worst, missing);
    }
    const double lasts = std::max(run / walk.speed, 0.1);
    if (worst + run / kLooks <= settings_.stride) {
      const double times[2] = {t, t + lasts};
      const Vec3 positions[2] = {view.frame(b, t).unapply(start), landing};
      if (clear(view, b, times, positions, walk.shape, -1, Among::kAll, nullptr, nullptr)) {
        best = {true, {from, to, lasts, t, true}, {t, lasts, start, {}}, lasts};
        return true;
      }
    }
  }
  // Something is kept back for what cannot be foreseen: the faster grounds move past each other,
  // the more room. Feet are drawn up over the edge of what is landed on, but come down on it: by
  // half a step the middle of the foot is above the edge when it gets there.
  Leap kept = leap_;
  kept.vertical *= kEffort;
  kept.horizontal *= kEffort;
  const double past = length(velocity_at(far, now) - leaving);
  // A ground that speeds up or slows down is elsewhere than it seems it will be.
  const double strays =
      length(far.twist.linear) > kTrembles ? 0.5 * length(far.change) * kFlight * kFlight : 0.0;
  kept.shape.radius += std::min(kMostRoom, kRoom * past + strays);
  if (strays > kMostStray) return false;
  kept.shape.step *= kTuck;
  for (const double share : kImpulses) {
    const double up = share * kept.vertical + leaving.z;
    // Where it will be when it is reached: two rounds are enough for what moves steadily.
    double lasts = 0;
    Vec3 end = now;
    bool high = true;
    for (int round = 0; round < 3 && high; ++round) {
      const double down = up * up - 2 * kGravity * (end.z - start.z);
      high = down >= 0 && up + std::sqrt(std::max(down, 0.0)) > 0;
      if (!high) break;
      lasts = (up + std::sqrt(down)) / kGravity;
      end = view.frame(b, t + lasts).apply(landing);
    }
    if (!high || lasts < 0.05 || lasts > settings_.ahead) continue;
    const Flight flight = flight_between(start, end, t, lasts);
    // A ground that rises helps, but nobody relies on it.
    if (end.z - start.z > rise_ || start.z - end.z > drop_) continue;
    if (!possible(kept, flight, leaving, velocity_at(far, now))) continue;
    double times[kArc + 1];
    Vec3 positions[kArc + 1];
    for (int k = 0; k <= kArc; ++k) {
      times[k] = t + lasts * k / kArc;
      positions[k] = flight.at(times[k]);
    }
    if (!clear(view, -1, times, positions, kept.shape, -1, Among::kAll, nullptr, nullptr)) continue;
    best = {true, {from, to, lasts, t, false}, flight, lasts};
    return true;
  }
  return false;
}

void Atlas::sample(Snapshot& view) {
  const auto ready = [&](const Relation& r) {
    return r.from >= 0 && r.valid && surfaces_[r.from].alive && surfaces_[r.to].alive;
  };
  int left = settings_.samples;
  const auto attempt = [&](Relation& r, int i, int j) {
    const Thing& a = things_[surfaces_[r.from].body];
    ++r.tried;
    ++r.tried_lately;
    ++frame_.tried;
    --left;
    Decided found;
    const Vec3 start = a.frame.apply(a.roadmap->nodes()[i].position);
    if (!try_jump(view, r, i, j, now_, start, found)) {
      // What lies there now shuts it for good; what moves will pass.
      if (at_rest(r))
        std::erase_if(r.jumps, [&](const Jump& known) { return known.from == i && known.to == j; });
      return false;
    }
    ++r.found;
    for (Jump& known : r.jumps)
      if (known.from == i && known.to == j) {
        known = found.jump;
        return true;
      }
    if (static_cast<int>(r.jumps.size()) >= settings_.kept)
      r.jumps[r.found % settings_.kept] = found.jump;
    else
      r.jumps.push_back(found.jump);
    return true;
  };
  const auto once = [&](Relation& r) {
    const Surface &from = surfaces_[r.from], &to = surfaces_[r.to];
    const Thing &a = things_[from.body], &b = things_[to.body];
    const auto &starts = a.roadmap->surface(from.part), &ends = b.roadmap->surface(to.part);
    // A configuration of the smaller one, and the nearest ones of the other that are in reach:
    // a random one of a large floor would be far away.
    const bool anchored_at_end = ends.size() <= starts.size();
    const Thing &one = anchored_at_end ? b : a, &other = anchored_at_end ? a : b;
    const int part = anchored_at_end ? from.part : to.part;
    const auto& anchors = anchored_at_end ? ends : starts;
    int anchor = -1;
    Vec3 p;
    for (int draw = 0; draw < kDraws && anchor < 0; ++draw) {
      const int drawn = anchors[random() % anchors.size()];
      p = one.frame.apply(one.roadmap->nodes()[drawn].position);
      if (free_at(view, p, leap_.shape, anchored_at_end ? to.body : from.body)) anchor = drawn;
    }
    if (anchor < 0) {
      ++r.tried;
      ++r.tried_lately;
      --left;
      return;
    }
    const Vec3 q = other.frame.unapply(p), half{far_, far_, std::max(far_, rise_ + drop_)};
    std::vector<std::pair<double, int>> near;
    other.roadmap->visit({q - half, q + half}, [&](int node) {
      const Node& n = other.roadmap->nodes()[node];
      if (n.surface != part) return;
      const Vec3 way = other.frame.apply(n.position) - p;
      const double rise = anchored_at_end ? -way.z : way.z;
      const double away = std::hypot(way.x, way.y);
      if (away <= reach(leap_, rise) || away <= 4 * settings_.stride) near.emplace_back(away, node);
    });
    std::sort(near.begin(), near.end());
    // The nearest for a step; a jump up needs a run-up, so then any that are in reach.
    int tries = 0;
    for (size_t k = 0; k < near.size() && tries < kPartners && left > 0; ++k) {
      if (tries > 0) std::swap(near[k], near[k + random() % (near.size() - k)]);
      const int node = near[k].second;
      const Vec3 spot = other.frame.apply(other.roadmap->nodes()[node].position);
      if (!free_at(view, spot, leap_.shape, anchored_at_end ? from.body : to.body)) continue;
      ++tries;
      if (attempt(r, anchored_at_end ? node : anchor, anchored_at_end ? anchor : node)) break;
    }
    if (tries == 0) ++r.tried, ++r.tried_lately, --left;
  };
  // What rests against each other is known once it has been tried enough.
  const auto known = [&](const Relation& r) { return at_rest(r) && r.tried_lately > kEnough; };
  // Relations that nobody has found a way through yet come first, with half of the budget; the
  // more often one was tried, the seldomer it is its turn.
  const size_t n = relations_.size();
  const auto due = [&](const Relation& r, size_t i) {
    const auto wait = static_cast<uint64_t>(std::min(r.tried_lately, kSeldom));
    return ready(r) && !known(r) && (frame_count_ + i) % (1 + wait) == 0;
  };
  for (size_t k = 0; k < n && left > settings_.samples / 2; ++k) {
    const size_t i = next_fresh_++ % n;
    if (relations_[i].jumps.empty() && due(relations_[i], i)) once(relations_[i]);
  }
  for (size_t k = 0; k < n && left > 0; ++k) {
    const size_t i = next_sample_++ % n;
    if (due(relations_[i], i)) once(relations_[i]);
  }
}

Decided Atlas::decide(int relation, Vec3 local, double t, int landing) {
  check_relation(relation);
  check_time(t, "t");
  const Relation& r = relations_[relation];
  Decided best;
  if (r.from < 0) return best;  // the relation is gone, and its number is free
  const Surface &from = surfaces_[r.from], &to = surfaces_[r.to];
  if (!from.alive || !to.alive) return best;
  const Thing &a = things_[from.body], &b = things_[to.body];
  world_->bare([&](Snapshot& view) {
    const Vec3 start = view.frame(from.body, t).apply(local);
    // Landings about in reach, first those that are far from where the surface ends.
    std::vector<std::pair<double, int>> landings;
    const Frame& there = view.frame(to.body, t);
    for (const int j : b.roadmap->surface(to.part)) {
      const Node& node = b.roadmap->nodes()[j];
      const Vec3 q = there.apply(node.position);
      const double away = std::hypot(q.x - start.x, q.y - start.y);
      if (landing >= 0 &&
          length(node.position - b.roadmap->nodes()[landing].position) > 1.1 * b.roadmap->spacing())
        continue;
      // Grounds that move shift the reach by as much as they move in a flight.
      const double slack = length(b.twist.linear - a.twist.linear) * 0.6 + 0.05;
      if (away <= reach(leap_, q.z - start.z) + slack ||
          (std::abs(q.z - start.z) <= drop_ + rise_ && away <= far_ + slack))
        landings.emplace_back(away + (node.border ? 0.25 : 0.0), j);
    }
    std::sort(landings.begin(), landings.end());
    int looked = 0, sifted = 0;
    for (const auto& [away, j] : landings) {
      if (looked >= kChecked || sifted++ >= 6 * kChecked) break;
      const Vec3 spot = there.apply(b.roadmap->nodes()[j].position);
      if (!free_at(view, spot, leap_.shape, to.body)) continue;
      ++looked;
      if (try_jump(view, r, -1, j, t, start, best)) break;
    }
  });
  return best;
}

}  // namespace surefoot::topology
