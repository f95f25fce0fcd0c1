// What the bindings of the grid share.
#pragma once

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings/arrays.hpp"
#include "grid/pathfinder.hpp"

namespace surefoot::bindings {

// What a metre costs in each cell, float32.
using Prices = nb::ndarray<const float, nb::numpy, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

inline std::span<const float> view(const std::optional<Prices>& prices) {
  if (!prices) return {};
  return {prices->data(), prices->shape(0)};
}

inline grid::Workers workers(int threads) { return {threads, python_interrupt()}; }

template <class T>
auto numbers(const std::vector<T>& values) {
  using Out = std::conditional_t<std::is_same_v<T, uint8_t>, int32_t, T>;
  Output<Out, 1> out(values.size());
  std::copy(values.begin(), values.end(), out.data);
  return out.array();
}

inline int32_t checked(const grid::Moves& moves, int32_t cell) {
  grid::check_cell(moves, cell, "cell");
  return cell;
}

inline grid::CellPath path_of(const grid::Moves& moves, const Indices& cells,
                              const Indices& actions) {
  if (cells.shape(0) != actions.shape(0) + (cells.shape(0) > 0 ? 1 : 0))
    throw nb::value_error("a path has one action less than cells");
  grid::CellPath path;
  for (const int32_t cell : view(cells)) path.cells.push_back(checked(moves, cell));
  for (const int32_t action : view(actions)) path.actions.push_back(static_cast<uint8_t>(action));
  return path;
}

}  // namespace surefoot::bindings
