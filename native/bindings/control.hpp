// Controllers' numbers: plain ones in, structures out; surefoot.control packs them in this order.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "bindings/arrays.hpp"
#include "control/adaptation.hpp"

namespace surefoot::bindings {

using namespace control;

inline void expect(const Numbers& numbers, size_t count, const char* what) {
  if (numbers.size() != count) throw nb::value_error(what);
}

inline Level level_of(const double* v) { return {v[0], v[1], v[2], v[3]}; }

// A whole number that came as a double.
inline int whole(double number, const char* name) {
  check_number(number, name, -1, std::numeric_limits<int>::max());
  return static_cast<int>(number);
}

inline void check_action(double action, const Moves& moves) {
  if (!(action >= 0 && action < static_cast<double>(moves.actions())))
    throw nb::value_error("a configuration is in an action that is not there");
}

inline Configuration configuration_of(const double* d) {
  check_numbers({d + 1, 4}, "configuration", -kMaxCoordinate, kMaxCoordinate);
  check_finite(d[6], "the time into an action");
  return {whole(d[0], "frame"), level_of(d + 1), whole(d[5], "action"), d[6]};
}

inline Configuration configuration_of(const Numbers& v, const Moves& moves) {
  expect(v, 7, "a configuration has 7 numbers");
  check_action(v.data()[5], moves);
  return configuration_of(v.data());
}

inline std::array<double, 7> packed(const Configuration& c) {
  return {static_cast<double>(c.frame),  c.level.x, c.level.y, c.level.z, c.level.heading,
          static_cast<double>(c.action), c.into};
}

inline Target target_of(const double* d) {
  check_numbers({d + 1, 3}, "target", -kMaxCoordinate, kMaxCoordinate);
  return {whole(d[0], "frame"), {d[1], d[2], d[3]}, d[4], d[5], d[6] != 0};
}

inline Target target_of(const Numbers& v) {
  expect(v, 7, "a target has 7 numbers");
  return target_of(v.data());
}

inline Needs needs_of(const Numbers& v) {
  expect(v, 5, "needs are 5 numbers");
  const double* d = v.data();
  return {{d[0], d[1], d[2], false}, d[3], d[4]};
}

inline Limits limits_of(const Numbers& v) {
  expect(v, 3, "limits are 3 numbers");
  return {v.data()[0], v.data()[1], v.data()[2]};
}

inline Situation situation_of(const Numbers& obstacle, const Numbers& constants) {
  expect(obstacle, 4, "an obstacle has 4 numbers");
  return {{}, level_of(obstacle.data()), {constants.data(), constants.data() + constants.size()}};
}

inline auto numbers_of(const std::vector<double>& values) {
  Output<double, 1> out(values.size());
  std::copy(values.begin(), values.end(), out.data);
  return out.array();
}

using PythonFit = std::function<std::optional<std::vector<double>>(
    nb::ndarray<nb::numpy, double, nb::shape<-1, 3>>, std::vector<double>, std::vector<double>,
    int)>;

// How a controller adapts: a native fit by number, or one written in Python.
Adapting adapting(const std::variant<int, PythonFit>& fit, double size, bool sides, bool rays,
                  int attempts, int unsourced);

void bind_control_moves(nb::module_& m);

}  // namespace surefoot::bindings
