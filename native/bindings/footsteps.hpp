// Footsteps' numbers: rows of plain ones, and structures; planning.footsteps packs them in this
// order.
#pragma once

#include "bindings/arrays.hpp"
#include "footsteps/track.hpp"

namespace surefoot::bindings {

using namespace footsteps;
using Matrix = nb::ndarray<const double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void need(bool good, const char* message) {
  if (!good) throw nb::value_error(message);
}

// A state as a row of numbers, and the other way.
inline constexpr int kStateColumns = 10, kEndColumns = kStateColumns + 6;

inline void put_state(const State& s, double* row) {
  const auto of = [](int32_t body) { return static_cast<double>(body); };
  const double all[kStateColumns] = {s.x,       s.y,       s.z,        s.heading,   s.t,
                                     s.feet[0], s.feet[1], of(s.body), of(s.on[0]), of(s.on[1])};
  std::copy(all, all + kStateColumns, row);
}

inline State state_of(const double* row) {
  State s = facing(row[0], row[1], row[2], row[3], row[4]);
  s.feet[0] = row[5], s.feet[1] = row[6], s.body = static_cast<int32_t>(row[7]);
  s.on[0] = static_cast<int32_t>(row[8]), s.on[1] = static_cast<int32_t>(row[9]);
  return s;
}

inline void put_treads(const Treads& treads, double* row) {
  for (int i = 0; i < 4; ++i) row[i] = static_cast<double>(treads.tilt[i / 2][i % 2]);
  row[4] = static_cast<double>(treads.arch), row[5] = static_cast<double>(treads.effort);
}

inline Treads treads_of(const double* row) {
  Treads treads;
  for (int i = 0; i < 4; ++i) treads.tilt[i / 2][i % 2] = static_cast<float>(row[i]);
  treads.arch = static_cast<float>(row[4]), treads.effort = static_cast<float>(row[5]);
  return treads;
}

}  // namespace surefoot::bindings
