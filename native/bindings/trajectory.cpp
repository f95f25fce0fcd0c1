#include "geometry/trajectory.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>

#include "bindings/arrays.hpp"

namespace surefoot::bindings {
namespace {

using Seven = std::array<double, 7>;  // x y z, then w x y z

Pose to_pose(const Seven& a) { return {{a[0], a[1], a[2]}, {a[3], a[4], a[5], a[6]}}; }

std::vector<Vec3> vectors(const Vectors& a) {
  const auto v = view(a);
  return {v.begin(), v.end()};
}

std::vector<Quat> quaternions(const Quaternions& a) {
  std::vector<Quat> out(a.shape(0));
  for (size_t i = 0; i < out.size(); ++i) {
    const double* p = a.data() + 4 * i;
    out[i] = {p[0], p[1], p[2], p[3]};
  }
  return out;
}

std::vector<double> numbers(const Numbers& a) {
  const auto v = view(a);
  return {v.begin(), v.end()};
}

// A Python function called from any thread.
struct PythonFunction {
  nb::object function;

  explicit PythonFunction(nb::object f) : function(std::move(f)) {}
  ~PythonFunction() {
    nb::gil_scoped_acquire gil;
    function.reset();
  }
  Pose operator()(double t) const {
    nb::gil_scoped_acquire gil;
    return to_pose(nb::cast<Seven>(function(t)));
  }
};

}  // namespace

void bind_trajectory(nb::module_& m) {
  nb::enum_<Interpolation>(m, "Interpolation")
      .value("linear", Interpolation::kLinear)
      .value("step", Interpolation::kStep)
      .value("cubic", Interpolation::kCubic);
  nb::enum_<Repeat>(m, "Repeat")
      .value("once", Repeat::kOnce)
      .value("loop", Repeat::kLoop)
      .value("ping_pong", Repeat::kPingPong);

  nb::class_<Trajectory>(m, "Trajectory", "A pose as a function of time.")
      .def("moving", &Trajectory::moving)
      .def(
          "poses",
          [](const Trajectory& self, const Numbers& times) {
            const auto t = view(times);
            Output<double, 3> positions(t.size());
            Output<double, 4> rotations(t.size());
            nb::gil_scoped_release release;
            for (size_t i = 0; i < t.size(); ++i) {
              const Pose pose = self.pose(t[i]);
              positions.put(i, pose.position);
              double* q = rotations.data + 4 * i;
              q[0] = pose.rotation.w, q[1] = pose.rotation.x;
              q[2] = pose.rotation.y, q[3] = pose.rotation.z;
            }
            nb::gil_scoped_acquire acquire;
            return std::make_tuple(positions.array(), rotations.array());
          },
          nb::arg("times").noconvert(), "Positions (n, 3) and rotations (n, 4).")
      .def(
          "velocities",
          [](const Trajectory& self, const Numbers& times) {
            const auto t = view(times);
            Output<double, 3> linear(t.size()), angular(t.size());
            nb::gil_scoped_release release;
            for (size_t i = 0; i < t.size(); ++i) {
              const Twist twist = self.velocity(t[i]);
              linear.put(i, twist.linear);
              angular.put(i, twist.angular);
            }
            nb::gil_scoped_acquire acquire;
            return std::make_tuple(linear.array(), angular.array());
          },
          nb::arg("times").noconvert(), "Linear and angular velocity of the origin, (n, 3) each.")
      .def(
          "travel",
          [](const Trajectory& self, double from, double to) {
            const Travel travel = self.travel(from, to);
            return std::make_tuple(travel.shift.x, travel.shift.y, travel.shift.z, travel.turn,
                                   travel.tilt);
          },
          nb::arg("start"), nb::arg("end"),
          "Bound on motion between two times: shift per axis [m], turn and tilt [rad].");

  m.def(
      "static_trajectory",
      [](const Seven& pose) -> TrajectoryPtr {
        return std::make_shared<StaticTrajectory>(to_pose(pose));
      },
      nb::arg("pose"));
  m.def(
      "keyframed_trajectory",
      [](const Numbers& times, const Vectors& positions, const Vectors& position_in,
         const Vectors& position_out, Interpolation interpolation, const Numbers& rotation_times,
         const Quaternions& rotations, const Quaternions& rotation_in,
         const Quaternions& rotation_out, Interpolation rotation_interpolation, Repeat repeat,
         double start, double end) -> TrajectoryPtr {
        return std::make_shared<KeyframedTrajectory>(
            Channel<Vec3>{numbers(times), vectors(positions), vectors(position_in),
                          vectors(position_out), interpolation},
            Channel<Quat>{numbers(rotation_times), quaternions(rotations), quaternions(rotation_in),
                          quaternions(rotation_out), rotation_interpolation},
            repeat, start, end);
      },
      nb::arg("times").noconvert(), nb::arg("positions").noconvert(),
      nb::arg("position_in").noconvert(), nb::arg("position_out").noconvert(),
      nb::arg("interpolation"), nb::arg("rotation_times").noconvert(),
      nb::arg("rotations").noconvert(), nb::arg("rotation_in").noconvert(),
      nb::arg("rotation_out").noconvert(), nb::arg("rotation_interpolation"), nb::arg("repeat"),
      nb::arg("start"), nb::arg("end"));
  m.def(
      "drift_trajectory",
      [](double time, const Seven& pose, const std::array<double, 3>& linear,
         const std::array<double, 3>& angular) -> TrajectoryPtr {
        return std::make_shared<DriftTrajectory>(
            time, to_pose(pose),
            Twist{{linear[0], linear[1], linear[2]}, {angular[0], angular[1], angular[2]}});
      },
      nb::arg("time"), nb::arg("pose"), nb::arg("linear"), nb::arg("angular"));
  m.def(
      "function_trajectory",
      [](nb::object function, double start, double horizon, double max_speed,
         double max_turn_rate) -> TrajectoryPtr {
        auto shared = std::make_shared<PythonFunction>(std::move(function));
        return std::make_shared<FunctionTrajectory>([shared](double t) { return (*shared)(t); },
                                                    start, horizon, max_speed, max_turn_rate);
      },
      nb::arg("function"), nb::arg("start"), nb::arg("horizon"), nb::arg("max_speed"),
      nb::arg("max_turn_rate"), "`function(t)` gives seven numbers: x y z, then w x y z.");
  m.def(
      "attached_trajectory",
      [](TrajectoryPtr parent, TrajectoryPtr child) -> TrajectoryPtr {
        return std::make_shared<AttachedTrajectory>(std::move(parent), std::move(child));
      },
      nb::arg("parent"), nb::arg("child"));
  m.def(
      "observed_trajectory",
      [](TrajectoryPtr past, TrajectoryPtr future, double now, double horizon) -> TrajectoryPtr {
        return std::make_shared<ObservedTrajectory>(std::move(past), std::move(future), now,
                                                    horizon);
      },
      nb::arg("past"), nb::arg("future"), nb::arg("now"), nb::arg("horizon"));
}

}  // namespace surefoot::bindings
