#include "footsteps/performers.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "motion/humanoid.hpp"

namespace surefoot::bindings {
namespace {

using Matrix = nb::ndarray<const double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Frames = nb::ndarray<const double, nb::numpy, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void need(bool good, const char* message) {
  if (!good) throw nb::value_error(message);
}

template <class T, size_t Dimensions>
nb::ndarray<nb::numpy, T> output(T* data, const std::array<size_t, Dimensions>& shape) {
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, Dimensions, shape.data(), owner);
}

std::shared_ptr<Reel> make_reel(const Vectors& root, const Frames& local, const BodyShape& shape,
                                double leg, double follow, const Matrix& takes,
                                const Indices& offsets, const Vectors& travel, const Matrix& falls,
                                const Matrix& pieces, const Vectors& bones, double hand,
                                const std::array<double, 3>& heel) {
  const size_t frames = root.shape(0), joints = static_cast<size_t>(shape.joints);
  need(local.shape(0) == frames && local.shape(1) == joints && local.shape(2) == 4 &&
           takes.shape(1) == 4 && offsets.shape(0) == takes.shape(0) + 1 && falls.shape(1) == 12 &&
           pieces.shape(1) == 6 && joints == humanoid::kJoints && bones.shape(0) == joints,
       "columns of a reel do not fit each other");
  auto reel = std::make_shared<Reel>();
  reel->root.assign(root.data(), root.data() + 3 * frames);
  reel->local.assign(local.data(), local.data() + 4 * joints * frames);
  reel->shape = shape;
  reel->leg = leg;
  reel->follow = follow;
  reel->offsets.assign(bones.data(), bones.data() + 3 * joints);
  reel->hand = hand;
  reel->heel = {heel[0], heel[1], heel[2]};
  for (size_t i = 0; i < takes.shape(0); ++i) {
    const double* row = takes.data() + 4 * i;
    Take take{row[0], row[1], row[2], row[3], {}, {}, {}, {}};
    const int32_t first = offsets.data()[i], last = offsets.data()[i + 1];
    need(first >= 0 && first < last && static_cast<size_t>(last) <= travel.shape(0),
         "a take travels along at least one frame");
    for (int32_t k = first; k < last; ++k) {
      take.x.push_back(travel.data()[3 * k]);
      take.y.push_back(travel.data()[3 * k + 1]);
      take.heading.push_back(travel.data()[3 * k + 2]);
    }
    reel->takes.push_back(std::move(take));
  }
  for (size_t i = 0; i < falls.shape(0); ++i) {
    const double* f = falls.data() + 12 * i;
    need(f[0] >= 0 && f[0] < static_cast<double>(reel->takes.size()) && (f[1] == 0 || f[1] == 1),
         "a footfall of no take");
    const auto take = static_cast<size_t>(f[0]);
    reel->takes[take].falls[static_cast<int>(f[1])].push_back(
        {f[2], f[3], {f[4], f[5], f[6]}, {f[7], f[8], f[9], f[10]}, f[11]});
  }
  for (size_t i = 0; i < pieces.shape(0); ++i) {
    const double* p = pieces.data() + 6 * i;
    need(p[0] >= 0 && p[0] < static_cast<double>(reel->takes.size()), "a piece of no take");
    reel->pieces.push_back({static_cast<int32_t>(p[0]), p[1], p[2], p[3], p[4] != 0, p[5]});
  }
  reel->check();
  return reel;
}

}  // namespace

void bind_performers(nb::module_& m) {
  using footsteps::Performers;
  using footsteps::Track;
  nb::class_<Reel>(m, "Reel", "Clips that steps are played from, and the steps.")
      .def(nb::new_(&make_reel), nb::arg("root").noconvert(), nb::arg("local").noconvert(),
           nb::arg("shape"), nb::arg("leg"), nb::arg("follow"), nb::arg("takes").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("travel").noconvert(),
           nb::arg("falls").noconvert(), nb::arg("pieces").noconvert(),
           nb::arg("bones").noconvert(), nb::arg("hand"), nb::arg("heel"),
           "`takes` (k, 4): first frame, frames, rate, duration; `falls` (f, 12): take, foot, "
           "start, end, position, rotation, flat; `pieces` (n, 6): take, begin, end, speed, "
           "whether it stands, blend; `bones` (joints, 3): joints from their parents.");
  nb::class_<Performers>(m, "Performers", "Bodies that take the steps of their plans.")
      .def(
          "__init__",
          [](Performers* self, std::shared_ptr<Reel> reel, int32_t stand, double blend) {
            new (self) Performers({std::move(reel), stand, blend});
          },
          nb::arg("reel"), nb::arg("stand"), nb::arg("blend"))
      .def("forget", &Performers::forget, nb::arg("id"))
      .def(
          "perform",
          [](Performers& self, const Indices& ids,
             const std::vector<std::shared_ptr<Track>>& tracks, double t, int threads) {
            const size_t n = ids.shape(0), joints = static_cast<size_t>(self.reel().shape.joints);
            auto* roots = new double[3 * n];
            auto* turns = new double[4 * joints * n];
            auto* contacts = new bool[4 * n];
            auto root_out = output<double, 2>(roots, {n, 3});
            auto turn_out = output<double, 3>(turns, {n, joints, 4});
            auto contact_out = output<bool, 3>(contacts, {n, 2, 2});
            std::vector<double> offsets(2 * kOffset * n), needed(n);
            {
              nb::gil_scoped_release release;
              self.perform(view(ids), tracks, t,
                           {roots, turns, reinterpret_cast<uint8_t*>(contacts), offsets.data(),
                            needed.data()},
                           threads, python_interrupt());
            }
            return std::make_tuple(root_out, turn_out, contact_out);
          },
          nb::arg("ids").noconvert(), nb::arg("tracks"), nb::arg("t"), nb::arg("threads"),
          "Roots (n, 3), local rotations (n, joints, 4) and contacts (n, 2, 2).");
}

}  // namespace surefoot::bindings
