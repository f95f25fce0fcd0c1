#include "bindings/arrays.hpp"
#include "geometry/trajectory.hpp"
#include "grid/voxels.hpp"

NB_MODULE(_native, m) {
  namespace nb = nanobind;
  m.doc() = "surefoot's native core: meshes, trajectories and exact queries over worlds that move.";
  // A function trajectory may refer back to its world; such a ring is freed at exit, not before.
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const surefoot::TrajectoryError& error) {
      const nb::object type = nb::module_::import_("surefoot.errors").attr("TrajectoryError");
      PyErr_SetString(type.ptr(), error.what());
    } catch (const surefoot::grid::GridError& error) {
      const nb::object type = nb::module_::import_("surefoot.errors").attr("ProblemError");
      PyErr_SetString(type.ptr(), error.what());
    }
  });
  surefoot::bindings::bind_footsteps(m);
  surefoot::bindings::bind_footstep_search(m);
  surefoot::bindings::bind_learning(m);
  surefoot::bindings::bind_neighbours(m);
  surefoot::bindings::bind_mesh(m);
  surefoot::bindings::bind_trajectory(m);
  surefoot::bindings::bind_world(m);
  surefoot::bindings::bind_watched(m);
  surefoot::bindings::bind_motion(m);
  surefoot::bindings::bind_retargeting(m);
  surefoot::bindings::bind_grid(m);
  surefoot::bindings::bind_grid_moves(m);
  surefoot::bindings::bind_grid_search(m);
  surefoot::bindings::bind_playing(m);
  surefoot::bindings::bind_performers(m);
  surefoot::bindings::bind_plants(m);
  surefoot::bindings::bind_control(m);
  surefoot::bindings::bind_spacetime(m);
  surefoot::bindings::bind_topology(m);
}
