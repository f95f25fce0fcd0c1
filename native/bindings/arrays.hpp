// Numpy arrays in and out, without hidden copies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <vector>

#include "geometry/parallel.hpp"
#include "geometry/vec.hpp"

namespace surefoot::bindings {

namespace nb = nanobind;

// Arguments of these types are bound with .noconvert(): another dtype is an error, not a copy.
using Numbers = nb::ndarray<const double, nb::numpy, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Vectors =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Quaternions =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const int32_t, nb::numpy, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

using Flags = nb::ndarray<const bool, nb::numpy, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using Triples =
    nb::ndarray<const int32_t, nb::numpy, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

inline std::span<const double> view(const Numbers& a) { return {a.data(), a.shape(0)}; }
inline std::span<const int32_t> view(const Indices& a) { return {a.data(), a.shape(0)}; }
inline std::span<const std::array<int32_t, 3>> view(const Triples& a) {
  return {reinterpret_cast<const std::array<int32_t, 3>*>(a.data()), a.shape(0)};
}
inline std::span<const Vec3> view(const Vectors& a) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return {reinterpret_cast<const Vec3*>(a.data()), a.shape(0)};
}

// A new numpy array that owns its memory, and a view to fill it through.
template <class T, size_t Columns>
struct Output {
  T* data;
  size_t rows;
  nb::capsule owner;

  explicit Output(size_t n)
      : data(new T[n * Columns]),
        rows(n),
        owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); }) {}

  auto array() const {
    if constexpr (Columns == 1)
      return nb::ndarray<nb::numpy, T, nb::shape<-1>>(data, {rows}, owner);
    else
      return nb::ndarray<nb::numpy, T, nb::shape<-1, Columns>>(data, {rows, Columns}, owner);
  }
  void put(size_t i, Vec3 v)
    requires(Columns == 3)
  {
    data[3 * i] = v.x;
    data[3 * i + 1] = v.y;
    data[3 * i + 2] = v.z;
  }
};

// Lets Ctrl-C stop a batch that runs without the GIL.
inline Interrupt python_interrupt() {
  return [] {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

void bind_control(nb::module_& m);
void bind_footsteps(nb::module_& m);
void bind_footstep_search(nb::module_& m);
void bind_performers(nb::module_& m);
void bind_learning(nb::module_& m);
void bind_neighbours(nb::module_& m);
void bind_mesh(nb::module_& m);
void bind_motion(nb::module_& m);
void bind_retargeting(nb::module_& m);
void bind_playing(nb::module_& m);
void bind_plants(nb::module_& m);
void bind_spacetime(nb::module_& m);
void bind_topology(nb::module_& m);
void bind_trajectory(nb::module_& m);
void bind_watched(nb::module_& m);
void bind_world(nb::module_& m);
void bind_grid(nb::module_& m);
void bind_grid_moves(nb::module_& m);
void bind_grid_search(nb::module_& m);

}  // namespace surefoot::bindings
