// What the bindings of searches through time share.
#pragma once

#include <vector>

#include "bindings/arrays.hpp"

namespace surefoot::bindings {

inline std::vector<bool> flags_of(const Flags& flags) {
  return std::vector<bool>(flags.data(), flags.data() + flags.size());
}

inline std::vector<double> list_of(const Numbers& values) {
  return {values.data(), values.data() + values.size()};
}

// Meetings, and what is left at least and most likely.
void bind_estimates(nb::module_& m);

}  // namespace surefoot::bindings
