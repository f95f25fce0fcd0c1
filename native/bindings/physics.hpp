#pragma once

#include "bindings/arrays.hpp"

namespace surefoot::bindings {

void bind_physics(nb::module_& m);

}  // namespace surefoot::bindings
