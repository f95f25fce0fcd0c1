// Bodies that move, and every question that can be asked about them.
#pragma once

#include <atomic>
#include <shared_mutex>
#include <span>

#include "geometry/broad_phase.hpp"
#include "geometry/parallel.hpp"

namespace surefoot {

struct WorldHit {
  double distance = kInfinity;
  int body = -1, triangle = -1;
  Vec3 point, normal;  // world coordinates; the normal faces the side the mesh's order says
};

struct Support {
  double height = -kInfinity;
  int body = -1, triangle = -1;
  Vec3 normal;    // upward
  Vec3 velocity;  // of the surface point
  double coverage = 0;
};

// The space a character takes up at its foot position: an upright cylinder, or a capsule with
// round ends. Surfaces below `step` above the foot are stepped on, not bumped into.
struct Shape {
  double radius, height, step;
  bool capsule;

  bool operator==(const Shape&) const = default;
};

// What a place must offer to be stood on.
struct Standing {
  Shape shape;
  double max_slope;
};

// A position in a body's frame (or the world's, body -1), constant or piecewise linear in time.
struct TimedPath {
  int frame;
  std::span<const double> times;
  std::span<const Vec3> positions;
};

struct Contact {
  double time = kInfinity;
  int body = -1;
};

// One batch's common settings.
struct Batch {
  int threads = 1;
  Interrupt interrupt;
};

class World {
 public:
  int add(std::string name, std::shared_ptr<const Mesh> mesh, TrajectoryPtr trajectory, bool solid);
  void remove(int id);
  void move(int id, TrajectoryPtr trajectory);
  // Many at once; the same as one after the other.
  void move_all(std::span<const int> ids, std::span<const TrajectoryPtr> trajectories);

  // Batches. Arrays have one entry per query.
  void ray(std::span<const Vec3> origins, std::span<const Vec3> directions,
           std::span<const double> times, double max_distance, std::span<WorldHit> out,
           const Batch& batch) const;
  void support(std::span<const Vec3> points, std::span<const double> times, double up, double down,
               std::span<Support> out, const Batch& batch) const;
  void foot_support(std::span<const Vec3> points, std::span<const double> times,
                    std::span<const double> headings, double length, double width, double up,
                    double down, double sole_gap, std::span<Support> out, const Batch& batch) const;
  // The lowest id of a body that overlaps, or -1; any body when `any` is enough.
  void overlap(std::span<const Vec3> feet, std::span<const double> times, const Shape& shape,
               bool any, std::span<int32_t> out, const Batch& batch) const;
  void nearest(std::span<const Vec3> points, std::span<const double> times, double max_distance,
               std::span<WorldHit> out, const Batch& batch) const;
  void sweep(std::span<const TimedPath> paths, const Shape& shape, double tolerance,
             std::span<Contact> out, const Batch& batch) const;
  // For each place the spans of [start, end] in which it is free and supported.
  void safe_intervals(std::span<const int> frames, std::span<const Vec3> positions,
                      const Standing& standing, double start, double end, double tolerance,
                      std::span<std::vector<std::pair<double, double>>> out,
                      const Batch& batch) const;

  // run(span of time) for many questions of a caller's own, through snapshots, one for each thread,
  // while nothing can be added, moved or removed; it must not ask the world itself.
  template <class Run>
  void during(double from, double to, Run run) const {
    check_time(from, "start");
    check_number(to, "end", from, kMaxTime);
    with_span(BroadPhase::wanted(from, to), run);
  }
  // Likewise run(snapshot), for one thread.
  template <class Run>
  void view(double from, double to, Run run) const;
  // run(snapshot) of bodies and where they are alone: what is near cannot be asked for.
  template <class Run>
  void bare(Run run) const;
  // Throws where a body was never there, or is gone; asked within `during`.
  void check_body(int id, const char* name) const;
  // Ids that were given out; asked within `during`.
  size_t size() const { return bodies_.size(); }
  // Counts changes of what is at rest.
  uint64_t rests() const { return rests_; }
  // Whether anything moves; asked within `during`.
  bool moves() const { return broad_.moving() > 0; }

  TrajectoryPtr trajectory(int body) const;
  void poses(std::span<const int> bodies, std::span<const double> times, std::span<Pose> out) const;
  void velocities(std::span<const int> bodies, std::span<const Vec3> points,
                  std::span<const double> times, std::span<Vec3> out) const;

 private:
  friend class Snapshot;
  void put(int id, TrajectoryPtr trajectory);

  // query(view, i) for every i below count, on the batch's threads.
  template <class Query>
  void each(size_t count, std::span<const double> times, const Batch& batch, Query query) const;
  // Runs a batch over blocks of time with the bodies held still in memory.
  template <class Run>
  void with_span(const BroadPhase::Wanted& wanted, Run run) const;

  std::vector<Body> bodies_;
  std::atomic<uint64_t> rests_{0};
  mutable BroadPhase broad_;
  mutable std::shared_mutex mutex_;
};

// One thread's view of the world during a batch; remembers the frames it worked out.
class Snapshot {
 public:
  Snapshot(const World& world, const BroadPhase::Span& span)
      : bodies_(world.bodies_), resting_(world.broad_.resting()), span_(span) {}

  const Body& body(int id) const { return bodies_[id]; }
  int body_count() const { return static_cast<int>(bodies_.size()); }
  const BroadPhase::Span& span() const { return span_; }
  const BoxTree& resting() const { return resting_; }

  const Frame& frame(int id, double t) {
    const Body& body = bodies_[id];
    if (!body.moving) return body.rest;
    Remembered& slot = memory_[id % memory_.size()];
    if (slot.body != id || slot.time != t) slot = {id, t, Frame(body.trajectory->pose(t))};
    return slot.frame;
  }

  // Calls visitor(body id) for bodies that may touch the box at time t, until it returns true.
  template <class Visitor>
  bool visit(const Box& box, double t, Visitor visitor) const {
    return resting_.visit(box, visitor) || span_.at(t).visit(box, visitor);
  }

  bool overlaps(int id, double t, const UprightCylinder& cylinder);
  bool overlaps(int id, double t, const Shape& shape, Vec3 foot);
  WorldHit ray(Vec3 origin, Vec3 direction, double t, double max_distance);
  WorldHit nearest(Vec3 point, double t, double max_distance);
  Support support(Vec3 point, double t, double up, double down);
  Support foot_support(const FootPatch& patch, double z, double t, double up, double down,
                       double sole_gap);
  Vec3 surface_velocity(int id, Vec3 point, double t) const;

 private:
  struct Remembered {
    int body = -1;
    double time = 0;
    Frame frame;
  };
  void finish_hit(WorldHit& hit, double t);

  const std::vector<Body>& bodies_;
  const BoxTree& resting_;
  const BroadPhase::Span& span_;
  std::array<Remembered, 64> memory_;
};

// Sizes of a shape that can be asked about.
void check_shape(const Shape& shape);

// The first moment at which a shape along a path may touch something.
Contact first_contact(Snapshot& view, const TimedPath& path, const Shape& shape, double tolerance);

// The spans of [start, end] in which a place (a path of one point) is free and supported.
std::vector<std::pair<double, double>> safe_spans(Snapshot& view, const TimedPath& place,
                                                  const Standing& standing, double start,
                                                  double end, double tolerance);

Box shape_box(const Shape& shape, Vec3 foot);
CapsuleShape capsule_of(const Shape& shape, Vec3 foot);

template <class Run>
void World::view(double from, double to, Run run) const {
  during(from, to, [&](const BroadPhase::Span& span) {
    Snapshot view(*this, span);
    run(view);
  });
}

template <class Run>
void World::bare(Run run) const {
  std::shared_lock reading(mutex_);
  const BroadPhase::Span none;
  Snapshot view(*this, none);
  run(view);
}

template <class Run>
void World::with_span(const BroadPhase::Wanted& wanted, Run run) const {
  BroadPhase::Span span;
  for (;;) {
    {
      std::shared_lock reading(mutex_);
      if (broad_.ready(wanted, span)) {
        run(span);
        return;
      }
    }
    std::unique_lock writing(mutex_);
    broad_.prepare(bodies_, wanted);
  }
}

}  // namespace surefoot
