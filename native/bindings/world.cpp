#include "geometry/world.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"

namespace surefoot::bindings {
namespace {

Batch batch(int threads) { return {threads, python_interrupt()}; }

auto hits(const std::vector<WorldHit>& found) {
  const size_t n = found.size();
  Output<double, 1> distance(n);
  Output<double, 3> point(n), normal(n);
  Output<int32_t, 1> body(n), triangle(n);
  for (size_t i = 0; i < n; ++i) {
    distance.data[i] = found[i].distance;
    point.put(i, found[i].point);
    normal.put(i, found[i].normal);
    body.data[i] = found[i].body;
    triangle.data[i] = found[i].triangle;
  }
  return std::make_tuple(distance.array(), point.array(), normal.array(), body.array(),
                         triangle.array());
}

auto supports(const std::vector<Support>& found) {
  const size_t n = found.size();
  Output<double, 1> height(n), coverage(n);
  Output<double, 3> normal(n), velocity(n);
  Output<int32_t, 1> body(n), triangle(n);
  for (size_t i = 0; i < n; ++i) {
    height.data[i] = found[i].height;
    normal.put(i, found[i].normal);
    velocity.put(i, found[i].velocity);
    body.data[i] = found[i].body;
    triangle.data[i] = found[i].triangle;
    coverage.data[i] = found[i].coverage;
  }
  return std::make_tuple(height.array(), normal.array(), velocity.array(), body.array(),
                         triangle.array(), coverage.array());
}

void bind_moments(nb::class_<World>& c) {
  c.def(
      "ray",
      [](const World& self, const Vectors& origins, const Vectors& directions, const Numbers& times,
         double max_distance, int threads) {
        std::vector<WorldHit> out(origins.shape(0));
        {
          nb::gil_scoped_release release;
          self.ray(view(origins), view(directions), view(times), max_distance, out, batch(threads));
        }
        return hits(out);
      },
      nb::arg("origins").noconvert(), nb::arg("directions").noconvert(),
      nb::arg("times").noconvert(), nb::arg("max_distance"), nb::arg("threads"),
      "Distance, point, normal, body and triangle of the first hit; body -1 for none.");
  c.def(
      "nearest",
      [](const World& self, const Vectors& points, const Numbers& times, double max_distance,
         int threads) {
        std::vector<WorldHit> out(points.shape(0));
        {
          nb::gil_scoped_release release;
          self.nearest(view(points), view(times), max_distance, out, batch(threads));
        }
        return hits(out);
      },
      nb::arg("points").noconvert(), nb::arg("times").noconvert(), nb::arg("max_distance"),
      nb::arg("threads"), "Distance, point, normal, body and triangle of the nearest surface.");
  c.def(
      "support",
      [](const World& self, const Vectors& points, const Numbers& times, double up, double down,
         int threads) {
        std::vector<Support> out(points.shape(0));
        {
          nb::gil_scoped_release release;
          self.support(view(points), view(times), up, down, out, batch(threads));
        }
        return supports(out);
      },
      nb::arg("points").noconvert(), nb::arg("times").noconvert(), nb::arg("up"), nb::arg("down"),
      nb::arg("threads"), "Height, normal, velocity, body, triangle and coverage.");
  c.def(
      "foot_support",
      [](const World& self, const Vectors& points, const Numbers& times, const Numbers& headings,
         double length, double width, double up, double down, double sole_gap, int threads) {
        std::vector<Support> out(points.shape(0));
        {
          nb::gil_scoped_release release;
          self.foot_support(view(points), view(times), view(headings), length, width, up, down,
                            sole_gap, out, batch(threads));
        }
        return supports(out);
      },
      nb::arg("points").noconvert(), nb::arg("times").noconvert(), nb::arg("headings").noconvert(),
      nb::arg("length"), nb::arg("width"), nb::arg("up"), nb::arg("down"), nb::arg("sole_gap"),
      nb::arg("threads"), "Height, normal, velocity, body, triangle and coverage.");
  c.def(
      "overlap",
      [](const World& self, const Vectors& feet, const Numbers& times, double radius, double height,
         double step, bool capsule, bool any, int threads) {
        Output<int32_t, 1> out(feet.shape(0));
        {
          nb::gil_scoped_release release;
          self.overlap(view(feet), view(times), {radius, height, step, capsule}, any,
                       {out.data, out.rows}, batch(threads));
        }
        return out.array();
      },
      nb::arg("feet").noconvert(), nb::arg("times").noconvert(), nb::arg("radius"),
      nb::arg("height"), nb::arg("step"), nb::arg("capsule"), nb::arg("any"), nb::arg("threads"),
      "Lowest id of a body that overlaps (some id, when any is enough), or -1.");
}

void bind_spans(nb::class_<World>& c) {
  c.def(
      "sweep",
      [](const World& self, const Indices& frames, const Indices& offsets, const Numbers& times,
         const Vectors& positions, double radius, double height, double step, bool capsule,
         double tolerance, int threads) {
        const size_t n = frames.shape(0);
        check_count(offsets.shape(0), "offsets", n + 1, "frames (one more)");
        check_count(positions.shape(0), "positions", times.shape(0), "times");
        check_offsets(view(offsets), times.shape(0), "offsets");
        std::vector<TimedPath> paths(n);
        for (size_t i = 0; i < n; ++i) {
          const int first = offsets.data()[i], count = offsets.data()[i + 1] - first;
          paths[i] = {frames.data()[i], view(times).subspan(first, count),
                      view(positions).subspan(first, count)};
        }
        std::vector<Contact> out(n);
        {
          nb::gil_scoped_release release;
          self.sweep(paths, {radius, height, step, capsule}, tolerance, out, batch(threads));
        }
        Output<double, 1> time(n);
        Output<int32_t, 1> body(n);
        for (size_t i = 0; i < n; ++i) time.data[i] = out[i].time, body.data[i] = out[i].body;
        return std::make_tuple(time.array(), body.array());
      },
      nb::arg("frames").noconvert(), nb::arg("offsets").noconvert(), nb::arg("times").noconvert(),
      nb::arg("positions").noconvert(), nb::arg("radius"), nb::arg("height"), nb::arg("step"),
      nb::arg("capsule"), nb::arg("tolerance"), nb::arg("threads"),
      "First contact time (infinity for none) and body of each path; path i has the points\n"
      "offsets[i] to offsets[i + 1].");
  c.def(
      "safe_intervals",
      [](const World& self, const Indices& frames, const Vectors& positions, double radius,
         double height, double step, double max_slope, double start, double end, double tolerance,
         int threads) {
        const size_t n = frames.shape(0);
        std::vector<std::vector<std::pair<double, double>>> out(n);
        {
          nb::gil_scoped_release release;
          self.safe_intervals(view(frames), view(positions),
                              {{radius, height, step, false}, max_slope}, start, end, tolerance,
                              out, batch(threads));
        }
        Output<int32_t, 1> offsets(n + 1);
        offsets.data[0] = 0;
        for (size_t i = 0; i < n; ++i)
          offsets.data[i + 1] = offsets.data[i] + static_cast<int32_t>(out[i].size());
        Output<double, 2> spans(offsets.data[n]);
        size_t row = 0;
        for (const auto& intervals : out)
          for (const auto& [from, to] : intervals) {
            spans.data[2 * row] = from;
            spans.data[2 * row + 1] = to;
            ++row;
          }
        return std::make_tuple(offsets.array(), spans.array());
      },
      nb::arg("frames").noconvert(), nb::arg("positions").noconvert(), nb::arg("radius"),
      nb::arg("height"), nb::arg("step"), nb::arg("max_slope"), nb::arg("start"), nb::arg("end"),
      nb::arg("tolerance"), nb::arg("threads"),
      "Offsets (n + 1) and spans (k, 2): place i has the spans offsets[i] to offsets[i + 1].");
}

}  // namespace

void bind_world(nb::module_& m) {
  nb::class_<World> c(m, "World", "Bodies that move, and exact queries.");
  c.def(nb::init<>());
  c.def(
      "add",
      [](World& self, std::string name, std::shared_ptr<Mesh> mesh, TrajectoryPtr trajectory,
         bool solid) {
        nb::gil_scoped_release release;
        return self.add(std::move(name), std::move(mesh), std::move(trajectory), solid);
      },
      nb::arg("name"), nb::arg("mesh"), nb::arg("trajectory"), nb::arg("solid"),
      "Returns the id, never used again after removal.");
  c.def_prop_ro("rests", &World::rests, "Counts changes of what is at rest.");
  c.def("remove", &World::remove, nb::arg("id"), nb::call_guard<nb::gil_scoped_release>());
  c.def(
      "move",
      [](World& self, int id, TrajectoryPtr trajectory) {
        nb::gil_scoped_release release;
        self.move(id, std::move(trajectory));
      },
      nb::arg("id"), nb::arg("trajectory"));
  c.def(
      "poses",
      [](const World& self, const Indices& bodies, const Numbers& times) {
        std::vector<Pose> out(bodies.shape(0));
        {
          nb::gil_scoped_release release;
          self.poses(view(bodies), view(times), out);
        }
        Output<double, 3> positions(out.size());
        Output<double, 4> rotations(out.size());
        for (size_t i = 0; i < out.size(); ++i) {
          positions.put(i, out[i].position);
          const Quat q = out[i].rotation;
          const double values[4] = {q.w, q.x, q.y, q.z};
          std::copy(values, values + 4, rotations.data + 4 * i);
        }
        return std::make_tuple(positions.array(), rotations.array());
      },
      nb::arg("bodies").noconvert(), nb::arg("times").noconvert());
  c.def(
      "velocities",
      [](const World& self, const Indices& bodies, const Vectors& points, const Numbers& times) {
        Output<double, 3> out(bodies.shape(0));
        {
          nb::gil_scoped_release release;
          self.velocities(view(bodies), view(points), view(times),
                          {reinterpret_cast<Vec3*>(out.data), out.rows});
        }
        return out.array();
      },
      nb::arg("bodies").noconvert(), nb::arg("points").noconvert(), nb::arg("times").noconvert());
  bind_moments(c);
  bind_spans(c);
}

}  // namespace surefoot::bindings
