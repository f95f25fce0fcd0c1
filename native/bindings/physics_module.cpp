#include <nanobind/stl/string.h>

#include "bindings/physics.hpp"
#include "physics/engine.hpp"

NB_MODULE(_physics, m) {
  namespace nb = nanobind;
  using namespace nb::literals;
  namespace physics = surefoot::physics;
  m.doc() = "surefoot's simulated bodies: step controllers inside MuJoCo's control callback.";
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const physics::EngineError& error) {
      const nb::object type = nb::module_::import_("surefoot.errors").attr("MissingExtraError");
      PyErr_SetString(type.ptr(), error.what());
    }
  });
  m.attr("built_for") = physics::version_text(physics::headers_version);
  m.def(
      "load_engine",
      [](const std::string& path) {
        return physics::version_text(physics::load_engine(path).version);
      },
      "library"_a, "Opens MuJoCo's library; gives its version, or says which one is needed.");
  surefoot::bindings::bind_physics(m);
}
