#include "geometry/watched.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings/arrays.hpp"

namespace surefoot::bindings {
namespace {

using Seven = std::array<double, 7>;  // x y z, then w x y z

Pose to_pose(const Seven& a) { return {{a[0], a[1], a[2]}, {a[3], a[4], a[5], a[6]}}; }

}  // namespace

void bind_watched(nb::module_& m) {
  nb::class_<Feed>(m, "Feed", "Poses of many live bodies at once.")
      .def(
          "__init__",
          [](Feed* self, std::shared_ptr<World> world, double ahead, double memory,
             double fastest) { new (self) Feed(std::move(world), {ahead, memory, fastest}); },
          nb::arg("world"), nb::arg("ahead"), nb::arg("memory"), nb::arg("fastest"))
      .def(
          "first",
          [](const Feed& self, double t, const Seven& pose) {
            return self.first(t, to_pose(pose));
          },
          nb::arg("t"), nb::arg("pose"), "A trajectory at rest, for a body about to be added.")
      .def(
          "watch",
          [](Feed& self, int body, double t, const Seven& pose) {
            return self.watch(body, t, to_pose(pose));
          },
          nb::arg("body"), nb::arg("t"), nb::arg("pose"), "The body's row.")
      .def("forget", &Feed::forget, nb::arg("row"))
      .def("trajectory", &Feed::trajectory, nb::arg("row"), "What is known now; never changed.")
      .def(
          "push",
          [](Feed& self, double t, const Indices& rows, const Vectors& positions,
             const Quaternions& rotations) {
            const size_t n = rows.shape(0);
            Output<uint8_t, 1> out(n);
            {
              nb::gil_scoped_release release;
              std::vector<Pose> poses(n);
              for (size_t i = 0; i < n; ++i) {
                const double* q = rotations.data() + 4 * i;
                poses[i] = {view(positions)[i], {q[0], q[1], q[2], q[3]}};
              }
              self.push(t, view(rows), poses, {reinterpret_cast<Seen*>(out.data), n});
            }
            return out.array();
          },
          nb::arg("t"), nb::arg("rows").noconvert(), nb::arg("positions").noconvert(),
          nb::arg("rotations").noconvert(),
          "What became of each: 0 taken, 1 still, 2 not finite, 3 late, 4 jumped.");
}

}  // namespace surefoot::bindings
