#include "motion/plants.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bindings/arrays.hpp"

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
                 double shortest_swing, const std::string& floor) {
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
                           floor_named(floor)};
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

}  // namespace

void bind_plants(nb::module_& m) {
  m.def(
      "foot_plants", &foot_plants, nb::arg("points").noconvert(), nb::arg("rate"), nb::arg("leg"),
      nb::arg("landing").noconvert(), nb::arg("lifting").noconvert(), nb::arg("still"),
      nb::arg("band"), nb::arg("shortest_plant"), nb::arg("shortest_swing"), nb::arg("floor"),
      "Plants of feet whose parts go through `points` (n, 2, parts, 3), by start: rows of foot,\n"
      "start, end, x, y, z, heading, confidence; then the floor's velocity (n, 2), no rows where\n"
      "it rests.");
}

}  // namespace surefoot::bindings
