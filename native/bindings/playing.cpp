#include "motion/playing.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"

namespace surefoot::bindings {
namespace {

using Matrix = nb::ndarray<const double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Frames = nb::ndarray<const double, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Vec3 row(const Vectors& a, size_t i) {
  return {a.data()[3 * i], a.data()[3 * i + 1], a.data()[3 * i + 2]};
}

template <class T, size_t Dimensions>
nb::ndarray<nb::numpy, T> output(T* data, const std::array<size_t, Dimensions>& shape) {
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, Dimensions, shape.data(), owner);
}

}  // namespace

void bind_playing(nb::module_& m) {
  m.attr("BEAT_COLUMNS") = kBeatColumns;

  nb::class_<BodyShape>(m, "BodyShape", "What playing needs to know about a body.")
      .def(
          "__init__",
          [](BodyShape* self, int32_t joints, const std::array<std::array<int32_t, 4>, 2>& legs,
             const Vectors& offsets, const std::array<double, 5>& foot, double deepest) {
            check_count(offsets.shape(0), "offsets", 6, "a body");
            new (self) BodyShape();
            self->joints = joints;
            for (size_t side = 0; side < 2; ++side) {
              const auto [thigh, shin, ankle, toe] = legs[side];
              self->legs[side] = {thigh,
                                  shin,
                                  ankle,
                                  toe,
                                  row(offsets, 3 * side),
                                  row(offsets, 3 * side + 1),
                                  row(offsets, 3 * side + 2)};
            }
            self->ankle_height = foot[0], self->ball_height = foot[1];
            self->heel_behind = foot[2], self->ball_ahead = foot[3];
            self->middle_ahead = foot[4];
            self->deepest = deepest;
            check_shape(*self);
          },
          nb::arg("joints"), nb::arg("legs"), nb::arg("offsets").noconvert(), nb::arg("foot"),
          nb::arg("deepest"),
          "`legs`: thigh, shin, foot and toe of left and right; `offsets` (6, 3): hip, knee and "
          "ankle of left and right; `foot`: heights of ankle and ball, heel behind, ball and "
          "middle ahead of the ankle.");

  m.def(
      "play",
      [](const Vectors& root, const Frames& local, const BodyShape& shape, const Matrix& beats,
         const Numbers& times, const Frames& bodies, int threads) {
        const size_t n = times.shape(0), joints = static_cast<size_t>(shape.joints);
        if (beats.shape(0) != n || beats.shape(1) != kBeatColumns || bodies.shape(0) != n ||
            bodies.shape(1) != kSlots || bodies.shape(2) != 7 || local.shape(0) != root.shape(0) ||
            local.shape(1) != joints || local.shape(2) != 4)
          throw nb::value_error("beats, times, bodies and footage do not fit each other");
        const Beat* rows = reinterpret_cast<const Beat*>(beats.data());
        auto* roots = new double[3 * n];
        auto* turns = new double[4 * joints * n];
        auto* contacts = new bool[4 * n];
        auto* offsets = new double[2 * kOffset * n];
        Output<double, 1> needed(n);
        auto root_out = output<double, 2>(roots, {n, 3});
        auto turn_out = output<double, 3>(turns, {n, joints, 4});
        auto contact_out = output<bool, 3>(contacts, {n, 2, 2});
        auto offset_out = output<double, 3>(offsets, {n, 2, kOffset});
        {
          static_assert(sizeof(bool) == 1);
          nb::gil_scoped_release release;
          play({root.data(), local.data(), root.shape(0)}, shape, {rows, n}, view(times),
               bodies.data(),
               {roots, turns, reinterpret_cast<uint8_t*>(contacts), offsets, needed.data}, threads,
               python_interrupt());
        }
        return std::make_tuple(root_out, turn_out, contact_out, offset_out, needed.array());
      },
      nb::arg("root").noconvert(), nb::arg("local").noconvert(), nb::arg("shape"),
      nb::arg("beats").noconvert(), nb::arg("times").noconvert(), nb::arg("bodies").noconvert(),
      nb::arg("threads") = 1,
      "Roots (n, 3), local rotations (n, joints, 4), contacts (n, 2, 2), foot offsets (n, 2, 10) "
      "and how far the pelvis should be lowered (n) of beats at times.");
}

}  // namespace surefoot::bindings
