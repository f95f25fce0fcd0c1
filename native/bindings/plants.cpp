#include "motion/plants.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"
#include "motion/body_paths.hpp"

namespace surefoot::bindings {
namespace {

using FootPoints =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, 2, -1, 3>, nb::c_contig, nb::device::cpu>;

Floor floor_named(const std::string& name) {
  if (name == "auto") return Floor::automatic;
  if (name == "still") return Floor::still;
  if (name == "moving") return Floor::moving;
  throw nb::value_error("floor must be auto, still or moving");
}

auto foot_plants(const FootPoints& points, double rate, double leg, const Numbers& landing,
                 const Numbers& lifting, double still, double band, double shortest_plant,
                 double shortest_swing, const std::string& floor, bool from_rest) {
  const size_t n = points.shape(0), parts = points.shape(2);
  if (n == 0 || parts == 0 || landing.shape(0) != parts || lifting.shape(0) != parts ||
      !(rate > 0) || !(leg > 0))
    throw nb::value_error("points, rate, leg, landing and lifting do not fit each other");
  const PlantTuning tuning{{landing.data(), landing.data() + parts},
                           {lifting.data(), lifting.data() + parts},
                           still,
                           band,
                           shortest_plant,
                           shortest_swing,
                           floor_named(floor),
                           from_rest};
  Plants found;
  {
    nb::gil_scoped_release release;
    found = find_plants(points.data(), n, rate, leg, tuning);
  }
  const Output<double, 8> plants(found.plants.size());
  for (size_t i = 0; i < found.plants.size(); ++i) {
    const Plant& plant = found.plants[i];
    const double row[8] = {static_cast<double>(plant.foot),
                           plant.start,
                           plant.end,
                           plant.place[0],
                           plant.place[1],
                           plant.place[2],
                           plant.heading,
                           plant.confidence};
    std::copy(row, row + 8, plants.data + 8 * i);
  }
  const Output<double, 2> moving(found.floor.size() / 2);
  std::copy(found.floor.begin(), found.floor.end(), moving.data);
  return std::make_tuple(plants.array(), moving.array());
}

using Poses =
    nb::ndarray<const double, nb::numpy, nb::shape<-1, -1, 4>, nb::c_contig, nb::device::cpu>;

// Joints are chest, head, left hand, right hand, left foot, right foot, left toe, right toe;
// points are the heel from a foot, and the left and right tip from a toe.
auto paths_of_body(const Indices& parents, const Vectors& offsets, const Vectors& root,
                   const Poses& local, const Indices& joints, const Vectors& points, double leg,
                   double rate) {
  const size_t n = root.shape(0), count = parents.shape(0);
  if (n == 0 || offsets.shape(0) != count || local.shape(0) != n || local.shape(1) != count ||
      joints.shape(0) != 8 || points.shape(0) != 3 || !(leg > 0) || !(rate > 0))
    throw nb::value_error("parents, offsets, root, local, joints and points do not fit each other");
  const auto above = view(parents), which = view(joints);
  for (size_t joint = 0; joint < count; ++joint)
    if (joint == 0 ? above[0] != -1
                   : above[joint] < 0 || static_cast<size_t>(above[joint]) >= joint)
      throw nb::value_error("parents must come before their children, the root's is -1");
  for (const int32_t joint : which)
    if (joint < 0 || static_cast<size_t>(joint) >= count)
      throw nb::value_error("joints name one that is not there");
  const auto fixed = view(points);
  const BodyJoints body{above,
                        offsets.data(),
                        which[0],
                        which[1],
                        {which[2], which[3]},
                        {which[4], which[5]},
                        {which[6], which[7]},
                        fixed[0],
                        {fixed[1], fixed[2]},
                        leg};
  const Output<double, 18> places(n), feet(n);
  const Output<double, 1> headings(n), crouch(n), speed(n);
  {
    nb::gil_scoped_release release;
    body_paths(body, root.data(), local.data(), n, rate,
               {places.data, feet.data, headings.data, crouch.data, speed.data});
  }
  return std::make_tuple(
      nb::ndarray<nb::numpy, double, nb::shape<-1, 6, 3>>(places.data, {n, 6, 3}, places.owner),
      nb::ndarray<nb::numpy, double, nb::shape<-1, 2, 3, 3>>(feet.data, {n, 2, 3, 3}, feet.owner),
      headings.array(), crouch.array(), speed.array());
}

}  // namespace

void bind_plants(nb::module_& m) {
  m.def(
      "foot_plants", &foot_plants, nb::arg("points").noconvert(), nb::arg("rate"), nb::arg("leg"),
      nb::arg("landing").noconvert(), nb::arg("lifting").noconvert(), nb::arg("still"),
      nb::arg("band"), nb::arg("shortest_plant"), nb::arg("shortest_swing"), nb::arg("floor"),
      nb::arg("from_rest"),
      "Plants of feet whose parts go through `points` (n, 2, parts, 3), by start: rows of foot,\n"
      "start, end, x, y, z, heading, confidence; then the floor's velocity (n, 2), no rows where\n"
      "it rests.");
  m.def(
      "body_paths", &paths_of_body, nb::arg("parents").noconvert(), nb::arg("offsets").noconvert(),
      nb::arg("root").noconvert(), nb::arg("local").noconvert(), nb::arg("joints").noconvert(),
      nb::arg("points").noconvert(), nb::arg("leg"), nb::arg("rate"),
      "Of a body over time: points (n, 6, 3) (root, head, hands, feet), heels, balls and tips of\n"
      "both feet (n, 2, 3, 3), headings (n), crouch (n) and speed (n).");
}

}  // namespace surefoot::bindings
