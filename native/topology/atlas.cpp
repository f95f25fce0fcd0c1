#include "topology/atlas.hpp"

#include <chrono>
#include <ctime>

namespace surefoot::topology {
namespace {

// [s] of this thread: what else the machine does is no part of a frame.
double spent() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// How long a body must not have moved to count as being at rest [s].
constexpr double kRest = 0.3;
// Of bodies that do not move, as far as anybody cares [m], [1 - cos], [m/s or rad/s].
constexpr double kCreep = 2e-3, kTremble = 5e-6, kSlow = 0.02;
// Over which changes of velocity are averaged [s].
constexpr double kChange = 0.1;

}  // namespace

Atlas::Atlas(std::shared_ptr<const World> world, std::vector<Skill> skills, const Leap& leap,
             const Settings& settings)
    : world_(std::move(world)),
      skills_(std::move(skills)),
      leap_(leap),
      settings_(settings),
      far_(most_reach(leap)),
      rise_(most_rise(leap)),
      drop_(most_drop(leap)),
      random_state_(settings.seed) {
  require(world_ != nullptr, "an atlas needs a world");
  // Skills of a node are bits of a byte.
  check_number(static_cast<double>(skills_.size()), "the number of skills", 1, 8);
  for (const Skill& skill : skills_) {
    check_shape(skill.shape);
    check_number(skill.max_slope, "max_slope", 0, 1.6);
    require(skill.speed > 0 && skill.speed <= kMaxSize, "speed is ", skill.speed,
            " m/s; it must be above 0");
  }
  check_shape(leap.shape);
  check_size(leap.vertical, "the vertical speed of a leap");
  check_size(leap.horizontal, "the horizontal speed of a leap");
  check_size(leap.landing, "the landing speed of a leap");
  check_number(settings.sampling.spacing, "spacing", 1e-3, kMaxSize);
  check_number(settings.rebuilds, "rebuilds", 0, std::numeric_limits<int>::max());
  check_number(settings.samples, "samples", 0, std::numeric_limits<int>::max());
  check_number(settings.kept, "kept", 0, std::numeric_limits<int>::max());
}

void Atlas::check_thing(int body) const { check_index(body, things_.size(), "body"); }
void Atlas::check_surface(int surface) const { check_index(surface, surfaces_.size(), "surface"); }
void Atlas::check_relation(int relation) const {
  check_index(relation, relations_.size(), "relation");
}

uint64_t Atlas::random() {
  uint64_t z = (random_state_ += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void Atlas::admit(int body, bool forbidden) {
  world_->bare([&](Snapshot&) { world_->check_body(body, "body"); });
  if (body >= thing_count()) things_.resize(body + 1);
  Thing& thing = things_[body];
  thing.alive = true;
  thing.forbidden = forbidden;
  thing.built_up = {kInfinity, 0, 0};
  thing.steady_since = -kInfinity;
}

void Atlas::update(double t, bool all) {
  check_time(t, "t");
  frame_ = {};
  ++frame_count_;
  world_->bare([&](Snapshot& view) {
    const double began = spent();
    look(view, t);
    const double looked = spent();
    rebuild(view, all);
    const double built = spent();
    relate();
    const double related = spent();
    sample(view);
    frame_.detection = looked - began;
    frame_.building = built - looked;
    frame_.graph = related - built;
    frame_.sampling = spent() - related;
  });
}

// Where everything is now, what tumbles, and what changed.
void Atlas::look(Snapshot& view, double t) {
  const double before_now = now_;
  now_ = t;
  for (int id = 0; id < thing_count(); ++id) {
    Thing& thing = things_[id];
    if (!thing.alive) continue;
    const Body& body = view.body(id);
    if (!body.alive) {
      drop_surfaces(thing);
      forget_edges(thing.box);
      bodies_tree_.remove(thing.leaf);
      thing = {};
      continue;
    }
    const bool first = thing.leaf < 0;
    const Twist twist_before = thing.twist;
    bool moved = first;
    if (first || body.moving) {
      const Pose seen = body.trajectory->pose(t);
      thing.twist = body.moving ? body.trajectory->velocity(t) : Twist{};
      // What lies in a heap creeps and trembles; so little is no motion.
      const double turned = 1 - std::abs(dot(seen.rotation, thing.pose.rotation));
      moved = moved || length(seen.position - thing.pose.position) > kCreep || turned > kTremble ||
              length(thing.twist.linear) > kSlow || length(thing.twist.angular) > kSlow;
      if (moved) thing.pose = seen;
    }
    if (const double dt = t - before_now; !first && body.moving && dt > 0) {
      const Vec3 now = (thing.twist.linear - twist_before.linear) * (1 / dt);
      thing.change = thing.change + (now - thing.change) * (1 - std::exp(-dt / kChange));
    }
    if (moved) {
      // What lay here lies here no more.
      if (!thing.awake || first) forget_edges(thing.box);
      thing.frame = Frame(thing.pose);
      thing.moved_at = t;
      thing.awake = true;
      place(view, id);
    } else if (thing.awake && t - thing.moved_at > (body.moving ? kRest : -1.0)) {
      thing.awake = false;
      place(view, id);
      forget_edges(thing.box);
    }
    frame_.awake += thing.awake;

    const Vec3 up = thing.frame.turn.back({0, 0, 1});
    if (std::hypot(thing.twist.angular.x, thing.twist.angular.y) > settings_.still)
      thing.steady_since = t;
    const bool leans = !(dot(up, thing.built_up) >= std::cos(settings_.tilt));
    if (leans && thing.roadmap) drop_surfaces(thing);
    thing.tumbling = leans && t - thing.steady_since < settings_.settling;
    frame_.tumbling += thing.tumbling;
  }
}

void Atlas::drop_surfaces(Thing& thing) {
  for (const int s : thing.surfaces) {
    Surface& surface = surfaces_[s];
    if (surface.leaf >= 0) surfaces_tree_.remove(surface.leaf);
    surface.leaf = -1;
    surface.alive = false;
  }
  thing.roadmap.reset();
  thing.known.clear();
  thing.room.clear();
}

// Boxes of a body and its surfaces where it is now.
void Atlas::place(Snapshot& view, int id) {
  Thing& thing = things_[id];
  if (thing.leaf >= 0) bodies_tree_.remove(thing.leaf);
  const Body& body = view.body(id);
  const double ahead = thing.awake && body.moving ? settings_.ahead : 0;
  // What is around one moment is found by its box; what moves, by all it sweeps.
  thing.box = swept_box(body, now_, now_ + ahead);
  thing.leaf = bodies_tree_.insert(id, thing.box);
  for (const int s : thing.surfaces) {
    Surface& surface = surfaces_[s];
    if (!surface.alive) continue;
    const Box& own = thing.roadmap->box(surface.part);
    const Vec3 centre = thing.frame.apply(own.centre()), half = thing.frame.turn.spread(own.half());
    surface.box = {centre - half, centre + half};
    if (surface.leaf >= 0) surfaces_tree_.remove(surface.leaf);
    surface.leaf = surfaces_tree_.insert(s, surface.box);
  }
}

// Surfaces of what has none, or leans otherwise than when they were made; not of what tumbles.
void Atlas::rebuild(Snapshot& view, bool all) {
  for (int id = 0; id < thing_count(); ++id) {
    Thing& thing = things_[id];
    if (!thing.alive || thing.roadmap || thing.forbidden || thing.tumbling) continue;
    if (!all && frame_.rebuilt >= settings_.rebuilds) break;
    const Body& body = view.body(id);
    // Only the inclination matters.
    thing.roadmap =
        std::make_shared<Roadmap>(*body.mesh, body.solid, thing.frame, skills_, settings_.sampling);
    thing.built_up = thing.frame.turn.back({0, 0, 1});
    thing.known.assign(thing.roadmap->edge_count() * skills_.size(), 0);
    thing.room.assign(thing.roadmap->nodes().size() * skills_.size(), 0);
    ++frame_.rebuilt;
    thing.built = frame_count_;
    // A surface keeps its number, and so what was seen of it.
    for (int part = 0; part < thing.roadmap->surface_count(); ++part) {
      if (part >= static_cast<int>(thing.surfaces.size())) {
        thing.surfaces.push_back(static_cast<int>(surfaces_.size()));
        surfaces_.push_back({id, part, true, {}, -1, {}, {}});
      }
      surfaces_[thing.surfaces[part]].alive = true;
    }
    place(view, id);
    // Nodes of before are no nodes any more.
    for (const int s : thing.surfaces)
      for (const auto* list : {&surfaces_[s].out, &surfaces_[s].in})
        for (const int r : *list) {
          relations_[r].witness_from = relations_[r].witness_to = -1;
          relations_[r].gap = 0;
          relations_[r].jumps.clear();
        }
    thing.awake = true;
    thing.moved_at = now_;
  }
}

// Roadmap edges near a box are to be looked at again.
void Atlas::forget_edges(const Box& box) {
  if (!(box.lo.x <= box.hi.x)) return;
  double tall = 0, wide = 0;
  for (const Skill& s : skills_) {
    tall = std::max(tall, s.shape.height);
    wide = std::max(wide, s.shape.radius);
  }
  surfaces_tree_.visit({box.lo - Vec3{wide, wide, tall}, box.hi + Vec3{wide, wide, 0}}, [&](int s) {
    Thing& carrier = things_[surfaces_[s].body];
    const Roadmap& roadmap = *carrier.roadmap;
    // Jumps that were not possible may be, and those that were may be no more.
    for (const auto* list : {&surfaces_[s].out, &surfaces_[s].in})
      for (const int r : *list) relations_[r].tried_lately = 0;
    // An edge is no longer than this, so one of its ends is as near.
    const double far = wide + 1.8 * roadmap.spacing();
    const Vec3 half = box.half() + Vec3{far, far, tall + far};
    const Vec3 centre = carrier.frame.unapply(box.centre());
    Vec3 spread;
    for (int axis = 0; axis < 3; ++axis)
      for (int row = 0; row < 3; ++row)
        spread[axis] += std::abs(carrier.frame.turn.rows[row][axis]) * half[row];
    roadmap.visit({centre - spread, centre + spread}, [&](int node) {
      for (size_t k = 0; k < skills_.size(); ++k) carrier.room[node * skills_.size() + k] = 0;
      for (const Edge& edge : roadmap.edges(node))
        for (size_t k = 0; k < skills_.size(); ++k) carrier.known[edge.id * skills_.size() + k] = 0;
    });
    return false;
  });
}

int Atlas::nearest(int body, Vec3 local, double most) const {
  check_thing(body);
  const Thing& thing = things_[body];
  if (!thing.roadmap) return -1;
  int best = -1;
  double least = most;
  const Vec3 half{most, most, most};
  thing.roadmap->visit({local - half, local + half}, [&](int node) {
    const double away = length(thing.roadmap->nodes()[node].position - local);
    if (away < least) least = away, best = node;
  });
  return best;
}

}  // namespace surefoot::topology
