// What is in the way: paths of cylinders against everything, where it seems to be then.
#include <chrono>

#include "geometry/timed_contact.hpp"
#include "topology/atlas.hpp"

namespace surefoot::topology {
namespace {

constexpr double kTolerance = 0.01;  // [s]
constexpr double kMargin = 0.05;     // [m] for what a turning carrier adds to a straight way

}  // namespace

bool Atlas::clear(Snapshot& view, int frame, std::span<const double> times,
                  std::span<const Vec3> positions, const Shape& shape, int except, Among among,
                  Contact* contact, Effort* effort) const {
  const auto start = std::chrono::steady_clock::now();
  const TimedPath path{frame, times, positions};
  const Mover mover(view, path, shape);
  const TimedContact contacts(mover, kTolerance);
  Box box;
  for (size_t i = 0; i < times.size(); ++i)
    box.include(shape_box(
        shape, frame < 0 ? positions[i] : view.frame(frame, times[i]).apply(positions[i])));
  const Vec3 margin{kMargin, kMargin, kMargin};
  Contact first;
  bodies_tree_.visit({box.lo - margin, box.hi + margin}, [&](int id) {
    const Thing& thing = things_[id];
    if (id == except || (among == Among::kResting && thing.awake)) return false;
    if (among == Among::kTrembling && !thing.trembles()) return false;
    // Nobody can tell where what moves will be later than this; what trembles stays about there.
    const bool moves = thing.awake && !thing.trembles();
    const double until = moves ? now_ + settings_.ahead : kInfinity;
    for (size_t i = 0; i + 1 < times.size(); ++i) {
      const double from = times[i], to = std::min({times[i + 1], until, first.time});
      if (!(from < to)) break;
      const double time = contacts.first(id, from, to);
      if (time < first.time) {
        first = {time, id};
        break;
      }
    }
    return first.body >= 0 && !contact;
  });
  if (contact) *contact = first;
  if (effort) {
    ++effort->tests;
    effort->nanoseconds += std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::steady_clock::now() - start)
                               .count();
  }
  return first.body < 0;
}

bool Atlas::free_at(Snapshot& view, Vec3 foot, const Shape& shape, int carrier) const {
  return !bodies_tree_.visit(shape_box(shape, foot), [&](int id) {
    if (id == carrier) return false;
    const Body& body = view.body(id);
    return touches(*body.mesh, body.solid, things_[id].frame, shape, foot);
  });
}

double Atlas::first_contact(int frame, std::span<const double> times,
                            std::span<const Vec3> positions, const Shape& shape, int except,
                            int* body) {
  require(!times.empty(), "a path needs at least one point");
  check_count(positions.size(), "positions", times.size(), "times");
  check_times(times, "times");
  check_increasing(times, "times");
  check_shape(shape);
  if (frame != -1) check_thing(frame);
  Contact contact;
  world_->bare([&](Snapshot& view) {
    clear(view, frame, times, positions, shape, except, Among::kAll, &contact, nullptr);
  });
  if (body) *body = contact.body;
  return contact.time;
}

uint8_t Atlas::obstructed(int body, int node) const {
  check_thing(body);
  const Thing& thing = things_[body];
  require(thing.roadmap != nullptr, "body ", body, " has no surface to stand on");
  check_index(node, thing.roadmap->nodes().size(), "node");
  const Vec3 foot = thing.frame.apply(thing.roadmap->nodes()[node].position);
  uint8_t taken = 0;
  world_->bare([&](Snapshot& view) {
    for (size_t k = 0; k < skills_.size(); ++k)
      bodies_tree_.visit(shape_box(skills_[k].shape, foot), [&](int id) {
        if (id == body) return false;
        const Body& other = view.body(id);
        if (!touches(*other.mesh, other.solid, things_[id].frame, skills_[k].shape, foot))
          return false;
        taken |= static_cast<uint8_t>(1u << k);
        return true;
      });
  });
  return taken;
}

}  // namespace surefoot::topology
