#include "bindings/footsteps.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "footsteps/around.hpp"

namespace surefoot::bindings {
namespace {

// What an action does with its feet: flags of landings, and numbers as the Python side has them.
void put_feet(Action& action, int32_t flags, const double* row) {
  action.lands = static_cast<uint8_t>(flags & 3);
  action.often = flags >> 2 & 1;
  action.platform = flags >> 3 & 1;
  action.flies = flags >> 4 & 1;
  for (int foot = 0; foot < 2; ++foot) {
    for (int k = 0; k < 3; ++k) action.soles[foot][k] = static_cast<float>(row[3 * foot + k]);
    for (int end = 0; end < 2; ++end)
      action.ground[end][foot] = static_cast<float>(row[6 + 2 * end + foot]);
    action.leaves[foot] = static_cast<float>(row[12 + foot]);
  }
  action.lift = static_cast<float>(row[14]);
  action.up = static_cast<float>(row[10]), action.down = static_cast<float>(row[11]);
}

std::shared_ptr<StepTable> make_table(
    const Vectors& moves, const Numbers& durations, const Numbers& efforts, const Numbers& excess,
    const Indices& stop, const Indices& kinds, const Flags& stands, const Numbers& girths,
    const Numbers& paces, const Indices& offsets, const Indices& usual, const Indices& successors,
    const Numbers& changes, const Matrix& samples, const Indices& flags, const Matrix& feet,
    const Matrix& colliders, double sole, double price) {
  const size_t n = moves.shape(0);
  const size_t row = static_cast<size_t>(kSamples) * kPoints * 3;
  need(n > 0 && durations.shape(0) == n && efforts.shape(0) == n && excess.shape(0) == n &&
           stop.shape(0) == n && kinds.shape(0) == n && stands.shape(0) == n &&
           girths.shape(0) == n && paces.shape(0) == n && offsets.shape(0) == n + 1 &&
           usual.shape(0) == n && flags.shape(0) == n && feet.shape(0) == n &&
           feet.shape(1) == 15 && samples.shape(0) == n && samples.shape(1) == row &&
           colliders.shape(0) == 3 && colliders.shape(1) == kPoints &&
           changes.shape(0) == successors.shape(0),
       "columns of a step table do not fit each other");
  auto table = std::make_shared<StepTable>();
  for (size_t i = 0; i < n; ++i) {
    const double* m = moves.data() + 3 * i;
    const int32_t next = stop.data()[i];
    Action action{};
    action.dx = m[0], action.dy = m[1], action.turn = m[2];
    action.cosine = std::cos(m[2]), action.sine = std::sin(m[2]);
    action.duration = durations.data()[i];
    action.effort = efforts.data()[i], action.excess = excess.data()[i];
    action.shape = static_cast<int32_t>(i), action.stop = next;
    action.girth = static_cast<float>(girths.data()[i]);
    action.pace = static_cast<float>(paces.data()[i]);
    action.kind = kinds.data()[i], action.stands = static_cast<uint8_t>(stands.data()[i]);
    put_feet(action, flags.data()[i], feet.data() + 15 * i);
    table->actions.push_back(action);
  }
  table->offsets.assign(offsets.data(), offsets.data() + n + 1);
  table->usual.assign(usual.data(), usual.data() + n);
  table->successors.assign(successors.data(), successors.data() + successors.shape(0));
  table->changes.assign(changes.data(), changes.data() + changes.shape(0));
  table->samples.assign(samples.data(), samples.data() + n * row);
  for (int p = 0; p < kPoints; ++p) {
    table->radii[p] = static_cast<float>(colliders.data()[p]);
    table->low[p] = static_cast<float>(colliders.data()[kPoints + p]);
    table->high[p] = static_cast<float>(colliders.data()[2 * kPoints + p]);
  }
  table->sole = static_cast<float>(sole);
  table->price = price;
  table->check();
  return table;
}

void bind_table(nb::module_& m) {
  m.attr("FOOTSTEP_SAMPLES") = kSamples;
  nb::class_<StepTable>(m, "StepTable", "Annotated steps, and which may follow which.")
      .def(nb::new_(&make_table), nb::arg("moves").noconvert(), nb::arg("durations").noconvert(),
           nb::arg("efforts").noconvert(), nb::arg("excess").noconvert(),
           nb::arg("stop").noconvert(), nb::arg("kinds").noconvert(), nb::arg("stands").noconvert(),
           nb::arg("girths").noconvert(), nb::arg("paces").noconvert(),
           nb::arg("offsets").noconvert(), nb::arg("usual").noconvert(),
           nb::arg("successors").noconvert(), nb::arg("changes").noconvert(),
           nb::arg("samples").noconvert(), nb::arg("flags").noconvert(),
           nb::arg("feet").noconvert(), nb::arg("colliders").noconvert(), nb::arg("sole"),
           nb::arg("price"),
           "`usual` (n): where platform actions begin among the successors; `flags` (n): bits of "
           "landings left and right, often, platform, jump; `feet` (n, 15): soles (x, y, turn) "
           "where it ends, ground under left and right where it begins and ends, up, down, when "
           "left and right leave, lift.")
      .def(
          "rehearse",
          [](StepTable& self, std::shared_ptr<Reel> reel, int32_t stand, double blend) {
            rehearse(self, {std::move(reel), stand, blend});
          },
          nb::arg("reel"), nb::arg("stand"), nb::arg("blend"),
          "Samples, girths and paces as actions are played; before the table is used.")
      .def("__len__", [](const StepTable& self) { return self.actions.size(); });
  nb::class_<Guide>(m, "FootstepGuide", "What goals cost where nothing is in the way.")
      .def(nb::init<const StepTable&, double, double, int>(), nb::arg("table"),
           nb::arg("tolerance"), nb::arg("precise"), nb::arg("sweeps"),
           nb::call_guard<nb::gil_scoped_release>())
      .def("cost", &Guide::cost, nb::arg("action"), nb::arg("ahead"), nb::arg("left"),
           nb::arg("beyond") = 0.0, "[J/kg]")
      .def_prop_ro("sweeps", &Guide::sweeps);
}

void bind_track(nb::module_& m) {
  nb::class_<Track>(m, "FootstepTrack", "Steps that are placed: where a body is at any time.")
      .def(
          "__init__",
          [](Track* self, std::shared_ptr<StepTable> table, const Numbers& start,
             const Indices& actions, const Matrix& ends,
             std::optional<std::shared_ptr<World>> world) {
            need(start.shape(0) == kStateColumns, "a start is a row of a state");
            need(ends.shape(1) == kEndColumns, "a track needs a row where each action ends");
            std::vector<State> states;
            std::vector<Treads> treads;
            for (size_t i = 0; i < ends.shape(0); ++i) {
              states.push_back(state_of(ends.data() + kEndColumns * i));
              treads.push_back(treads_of(ends.data() + kEndColumns * i + kStateColumns));
            }
            new (self) Track(std::move(table), state_of(start.data()),
                             {view(actions).begin(), view(actions).end()}, states,
                             std::move(treads), world ? world->get() : nullptr);
          },
          nb::arg("table"), nb::arg("start").noconvert(), nb::arg("actions").noconvert(),
          nb::arg("ends").noconvert(), nb::arg("world") = nb::none())
      .def_prop_ro("rides", &Track::rides, "Whether it is carried on after its end.")
      .def(
          "stale", [](const Track& self, const World& world) { return self.stale(world); },
          nb::arg("world"), "Whether what carries it moves otherwise now.")
      .def("cover", &Track::cover, nb::arg("t"), "Is looked for where it is carried until then.")
      .def_prop_ro(
          "states",
          [](const Track& self) {
            Output<double, kStateColumns> out(self.states().size());
            for (size_t i = 0; i < out.rows; ++i)
              put_state(self.states()[i], out.data + kStateColumns * i);
            return out.array();
          },
          nb::rv_policy::move,
          "(k + 1, 10): x, y, z, heading, time, heights under left and right foot, whose frame all "
          "this is in (-1: the world's), and what left and right foot are on, where each action "
          "begins and the last one ends.")
      .def(
          "spots",
          [](const Track& self, const Numbers& times) {
            Output<double, 4> out(times.shape(0));
            for (size_t i = 0; i < out.rows; ++i) {
              const State at = self.at(times.data()[i]);
              const double row[4] = {at.x, at.y, at.z, at.heading};
              std::copy(row, row + 4, out.data + 4 * i);
            }
            return out.array();
          },
          nb::arg("times").noconvert(), "(n, 4): x, y, z and heading of the body.")
      .def(
          "figures",
          [](const Track& self, const Numbers& times) {
            Output<double, 3 * kPoints> out(times.shape(0));
            for (size_t i = 0; i < out.rows; ++i) {
              const double t = times.data()[i];
              Figure points;
              self.seen(t, points);
              const auto* p = &points[0].x;
              std::copy(p, p + 3 * kPoints, out.data + 3 * kPoints * i);
            }
            return out.array();
          },
          nb::arg("times").noconvert(), "(n, 18): six points of the body, as others see it.")
      .def(
          "rehearse",
          [](Track& self, std::shared_ptr<Reel> reel, int32_t stand, double blend,
             std::optional<const Track*> before, std::optional<std::shared_ptr<World>> world) {
            const Staging staging{std::move(reel), stand, blend};
            const Track* past = before.value_or(nullptr);
            if (!world || !*world || !self.uneven()) {
              self.rehearse(staging, past, nullptr);
              return;
            }
            (*world)->view(self.start(), self.end(),
                           [&](Snapshot& view) { self.rehearse(staging, past, &view); });
          },
          nb::arg("reel"), nb::arg("stand"), nb::arg("blend"), nb::arg("before") = nb::none(),
          nb::arg("world") = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
          "Plays the plan beforehand, from where its body is after another one.");
}

void bind_spots(nb::module_& m) {
  m.def(
      "footstep_spots",
      [](const std::vector<std::shared_ptr<Track>>& tracks, double t) {
        Output<double, 4> out(tracks.size());
        for (size_t i = 0; i < tracks.size(); ++i) {
          const State at = tracks[i]->at(t);
          const double row[4] = {at.x, at.y, at.z, at.heading};
          std::copy(row, row + 4, out.data + 4 * i);
        }
        return out.array();
      },
      nb::arg("tracks"), nb::arg("t"), "(n, 4): x, y, z and heading of each plan's body.");
}

void bind_traffic(nb::module_& m) {
  nb::class_<Traffic>(m, "FootstepTraffic", "Published plans, by id.")
      .def(nb::init<>())
      .def("__len__", &Traffic::size)
      .def(
          "put",
          [](Traffic& self, int32_t id, std::shared_ptr<Track> track) {
            self.put(id, std::move(track));
          },
          nb::arg("id"), nb::arg("track"))
      .def("remove", &Traffic::remove, nb::arg("id"))
      .def(
          "clear",
          [](Traffic& self, int32_t id, const Track& track, double start, double room) {
            self.prepare();
            return self.clear(track, id, start, static_cast<float>(room));
          },
          nb::arg("id"), nb::arg("track"), nb::arg("start"), nb::arg("room"),
          "Whether a plan of somebody keeps clear of all others from a time on.");
  m.def(
      "clear_footsteps",
      [](const Track& track, const std::vector<std::shared_ptr<Track>>& others, double start,
         double end, double room) {
        for (const auto& other : others) {
          const auto near = static_cast<float>(room + 2.0);
          if (other->low_x() > track.high_x() + near || other->high_x() < track.low_x() - near ||
              other->low_y() > track.high_y() + near || other->high_y() < track.low_y() - near)
            continue;
          if (!clear(track, *other, start, end, static_cast<float>(room))) return false;
        }
        return true;
      },
      nb::arg("track"), nb::arg("others"), nb::arg("start"), nb::arg("end"), nb::arg("room"),
      "Whether a plan keeps clear of all others.");
}

}  // namespace

void bind_footsteps(nb::module_& m) {
  bind_table(m);
  bind_track(m);
  bind_spots(m);
  bind_traffic(m);
}

}  // namespace surefoot::bindings
