#include "bindings/arrays.hpp"
#include "geometry/mesh.hpp"
#include "geometry/trajectory.hpp"
#include "grid/voxels.hpp"
#include "math/limits.hpp"

namespace nb = nanobind;

namespace {

void set_error(const char* type, const std::exception& error) {
  PyErr_SetString(nb::module_::import_("surefoot.errors").attr(type).ptr(), error.what());
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "surefoot's native core: meshes, trajectories and exact queries over worlds that move.";
  // A function trajectory may refer back to its world; such a ring is freed at exit, not before.
  nb::set_leak_warnings(false);
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const surefoot::TrajectoryError& error) {
      set_error("TrajectoryError", error);
    } catch (const surefoot::MeshError& error) {
      set_error("MeshError", error);
    } catch (const surefoot::grid::GridError& error) {
      set_error("ProblemError", error);
    } catch (const surefoot::InputError& error) {
      set_error("InputError", error);
    }
  });
  m.attr("MAX_COORDINATE") = surefoot::kMaxCoordinate;
  m.attr("MAX_TIME") = surefoot::kMaxTime;
  m.attr("MAX_SIZE") = surefoot::kMaxSize;
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
