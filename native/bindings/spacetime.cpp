#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <variant>

#include "bindings/control.hpp"
#include "bindings/spacetime.hpp"
#include "spacetime/running.hpp"
#include "spacetime/search.hpp"
#include "spacetime/timetable.hpp"

namespace surefoot::bindings {
namespace {

using namespace surefoot::spacetime;

// [s]: rollouts under way when time is up are played to their ends.
constexpr double kAfter = 40.0;

using OwnCost = std::function<double(int, nb::ndarray<nb::numpy, double, nb::shape<-1>>,
                                     nb::ndarray<nb::numpy, double, nb::shape<-1, 3>>,
                                     nb::ndarray<nb::numpy, double, nb::shape<-1, 3>>)>;

auto vectors_of(const std::vector<Vec3>& values) {
  Output<double, 3> out(values.size());
  for (size_t i = 0; i < values.size(); ++i) out.put(i, values[i]);
  return out.array();
}

void bind_memory(nb::module_& m) {
  nb::class_<RunMemory> c(m, "RunMemory", "What searches from one start remember of each other.");
  c.def(nb::init<>());
  c.def("__len__", [](const RunMemory& self) { return self.ways.size(); });
  c.def_ro("ran", &RunMemory::ran, "Ways that were run, in all searches.");
  c.def_ro("recalled", &RunMemory::recalled, "Ways of the last search that were known.");
  c.def_ro("repeated", &RunMemory::repeated,
           "Those of them that the same plan has asked for before.");
  c.def("begin_plan", &RunMemory::begin_plan);
  c.def("begin_round", &RunMemory::begin_round, "What works is learned from here on.");
  c.def("take_back_round", &RunMemory::take_back_round,
        "Forgets what works as far as it was learned since; ways that were run are kept.");
  c.def(
      "forget",
      [](RunMemory& self, std::shared_ptr<const Mesh> mesh, const TrajectoryPtr& before,
         const TrajectoryPtr& after, double start, double latest) {
        nb::gil_scoped_release release;
        for (const TrajectoryPtr& way : {before, after}) {
          Body body;
          body.mesh = mesh;
          body.trajectory = way;
          body.moving = true;
          for (double t = start; t < latest; t += Meetings::kBlock)
            self.forget(swept_box(body, t, t + Meetings::kBlock), t, t + Meetings::kBlock);
        }
        self.forget_stays();
      },
      nb::arg("mesh"), nb::arg("before"), nb::arg("after"), nb::arg("start"), nb::arg("latest"),
      "Forgets what may depend on a body whose future has changed.");
}

void bind_settings(nb::module_& m) {
  nb::class_<Settings> c(m, "SearchSettings", "See native/spacetime/search.hpp.");
  c.def(nb::init<>());
  c.def_prop_rw(
      "waiting", [](const Settings& self) { return static_cast<int>(self.waiting); },
      [](Settings& self, int value) { self.waiting = static_cast<Waiting>(value); });
  c.def_rw("start", &Settings::start);
  c.def_rw("latest", &Settings::latest);
  c.def_rw("earliest_goal", &Settings::earliest_goal);
  c.def_rw("latest_goal", &Settings::latest_goal);
  c.def_rw("halt", &Settings::halt);
  c.def_rw("tick", &Settings::tick);
  c.def_rw("wait", &Settings::wait);
  c.def_rw("preparation", &Settings::preparation);
  c.def_rw("closed", &Settings::closed);
  c.def_rw("alike", &Settings::alike);
  c.def_rw("waiting_cost", &Settings::waiting_cost);
  c.def_rw("price", &Settings::price);
  c.def_rw("haste", &Settings::haste);
  c.def_rw("cull_unevaluated", &Settings::cull_unevaluated);
  c.def_rw("foresees", &Settings::foresees);
  c.def_rw("culled_heuristic", &Settings::culled_heuristic);
  c.def_rw("most_nodes", &Settings::most_nodes);
  c.def_rw("below", &Settings::below);
  c.def_rw("most_evaluations", &Settings::most_evaluations);
  c.def_rw("most_bytes", &Settings::most_bytes);
  c.def_rw("least", &Settings::least);
  c.def_rw("recorded", &Settings::recorded);
}

void bind_found(nb::module_& m) {
  nb::class_<Found> c(m, "Found", "What a search through time found.");
  c.def_prop_ro("end", [](const Found& self) { return static_cast<int>(self.end); });
  c.def_prop_ro("limit", [](const Found& self) { return static_cast<int>(self.limit); });
  c.def_ro("arrives", &Found::arrives);
  c.def_ro("cost", &Found::cost);
  c.def_ro("least", &Found::least, "No path costs less, as far as the search knows.");
  c.def_ro("path", &Found::path);
  c.def_prop_ro(
      "labels",
      [](const Found& self) {
        Output<double, 9> out(self.labels.size());
        double* to = out.data;
        for (const Label& l : self.labels) {
          const double row[9] = {static_cast<double>(l.landmark),
                                 l.time,
                                 l.cost,
                                 static_cast<double>(l.parent),
                                 static_cast<double>(l.controller),
                                 l.departs,
                                 l.settled,
                                 static_cast<double>(l.state),
                                 static_cast<double>(l.aim)};
          to = std::copy(row, row + 9, to);
        }
        return out.array();
      },
      nb::rv_policy::move,
      "(n, 9): landmark, time, cost, parent, controller, departs, settled, state, and the "
      "landmark\n"
      "that was gone for.");
  c.def_ro("expanded", &Found::expanded, "Labels that were expanded, where recorded.");
  c.def_prop_ro(
      "evaluations",
      [](const Found& self) {
        Output<double, 8> out(self.evaluations.size());
        double* to = out.data;
        for (const Evaluated& e : self.evaluations) {
          const double row[8] = {static_cast<double>(e.parent),
                                 static_cast<double>(e.to),
                                 static_cast<double>(e.controller),
                                 e.departs,
                                 e.bound.time,
                                 e.bound.cost,
                                 e.time,
                                 e.cost};
          to = std::copy(row, row + 8, to);
        }
        return out.array();
      },
      nb::rv_policy::move,
      "(n, 8): parent, to, controller, departs, bounds of time and cost, time and cost.");
  c.def_prop_ro("counts", [](const Found& self) {
    const Counts& n = self.counts;
    return std::vector<size_t>{n.expanded, n.evaluated, n.succeeded, n.culled,  n.waits,
                               n.gaps,     n.queued,    n.bytes,     n.foreseen};
  });
}

void make_skill(Skill* self, std::shared_ptr<Controller> go, std::shared_ptr<Controller> wait,
                int wait_axes, const Numbers& wait_needs, std::shared_ptr<Controller> halt,
                const std::variant<int, PythonFit>& fit, double size, bool sides, bool rays,
                int attempts, int unsourced, const Numbers& needs, const Numbers& bounds,
                const Numbers& covered, bool along, bool across, bool jumps,
                const std::vector<int>& around, const std::vector<int>& over) {
  expect(bounds, 10, "bounds are 10 numbers");
  const double* b = bounds.data();
  new (self) Skill{std::move(go),
                   std::move(wait),
                   static_cast<size_t>(wait_axes),
                   needs_of(wait_needs),
                   std::move(halt),
                   b[6],
                   adapting(fit, size, sides, rays, attempts, unsourced),
                   needs_of(needs),
                   {b[7], b[8], b[9]},
                   b[0],
                   b[1],
                   b[2],
                   list_of(covered),
                   b[3],
                   b[4],
                   b[5],
                   along,
                   across,
                   jumps,
                   around,
                   over};
}

// Asks the caller now and then, and lets Ctrl-C through.
Stop stop_of(const std::optional<std::function<bool()>>& cancel) {
  return [cancel] {
    nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return cancel.has_value() && (*cancel)();
  };
}

auto run_search(const World& world, const Meetings& meetings, const std::vector<Skill*>& skills,
                double waiting, double per_speed_squared, const Numbers& on_body,
                const std::optional<OwnCost>& own, const Flags& jumping, const Numbers& radii,
                const Numbers& ahead, const Arrivals* soonest, const Likely* likely, double second,
                RunMemory* memory, const Flags& goals, const Numbers& start, int landmark,
                const Quaternions& refused, const Vectors& hints, const Settings& settings,
                double spread, double readying, double boarding, bool anywhere, double stands_at,
                double doubt, const std::optional<std::function<bool()>>& cancel) {
  const size_t n = meetings.size();
  if (radii.size() != n || ahead.size() != n || goals.size() != n || skills.empty() ||
      landmark < 0 || static_cast<size_t>(landmark) >= n)
    throw nb::value_error("the arrays do not fit each other");
  std::vector<Skill> list;
  for (const Skill* skill : skills) list.push_back(*skill);
  for (const Skill& skill : list)
    for (const auto* others : {&skill.around, &skill.over})
      for (const int other : *others)
        if (other < 0 || static_cast<size_t>(other) >= list.size())
          throw nb::value_error("no such skill");
  Charges charges{waiting, per_speed_squared, list_of(on_body), {}};
  if (own)
    charges.own = [ask = *own](int skill, const std::vector<double>& times,
                               const std::vector<Vec3>& points, const std::vector<Vec3>& moving) {
      nb::gil_scoped_acquire gil;
      return ask(skill, numbers_of(times), vectors_of(points), vectors_of(moving));
    };
  const Configuration from = configuration_of(start, list.front().go->moves());
  const std::vector<double> around = list_of(radii);
  const Remaining left{list_of(ahead), soonest, likely, second};
  const std::vector<bool> wanted = flags_of(goals), jumps = flags_of(jumping);
  if (jumps.size() != list.front().go->moves().actions())
    throw nb::value_error("the arrays do not fit each other");
  const RunningSettings how{spread, readying, 0.005, boarding, anywhere, stands_at, doubt};
  std::vector<Refused> ways;
  for (size_t i = 0; i < refused.shape(0); ++i) {
    const double* row = refused.data() + 4 * i;
    ways.push_back({whole(row[0], "a refused way"), whole(row[1], "a refused way"),
                    whole(row[2], "a refused way"), row[3]});
  }
  std::vector<Hint> before;
  for (size_t i = 0; i < hints.shape(0); ++i) {
    const double* row = hints.data() + 3 * i;
    before.push_back({whole(row[0], "a hint"), whole(row[1], "a hint"), row[2]});
    check_index(before.back().to, n, "the landmark of a hint");
    check_index(before.back().controller, list.size(), "the skill of a hint");
  }
  Found found;
  std::vector<std::tuple<double, double, int, double>> settling;
  const Stop stop = stop_of(cancel);
  {
    nb::gil_scoped_release release;
    world.view(settings.start, settings.latest + kAfter, [&](Snapshot& view) {
      RunMemory own;
      Running edges(view, meetings, std::move(list), jumps, charges, around, left, wanted,
                    memory != nullptr ? *memory : own, how);
      edges.refuse(ways);
      edges.begin_at(landmark);
      Search search(edges, settings, stop);
      // The start is the first of all states.
      const bool begun = memory != nullptr && !memory->states.empty();
      found = search.run(landmark, begun ? 0 : edges.add(from), before);
      for (const int id : found.path) {
        const Label& to = found.labels[id];
        double least = 0;
        if (to.parent >= 0) {
          const Label& from = found.labels[to.parent];
          least =
              edges.bound(from.landmark, from.state, from.time, to.departs, to.controller, to.aim)
                  .time;
        }
        const Running::State& state = edges.state(to.state);
        settling.emplace_back(state.settling, least, static_cast<int>(state.halt), state.halted);
      }
    });
  }
  return std::make_tuple(std::move(found), settling);
}

Found table_search(const Indices& durations, const Indices& until, const Numbers& rates,
                   const Numbers& ahead, const Flags& goals, double tick, double looseness,
                   int landmark, const Settings& settings) {
  Timetable table;
  table.landmarks = ahead.size();
  table.controllers = rates.size();
  table.ticks = until.size() / std::max<size_t>(table.landmarks, 1);
  table.tick = tick;
  table.looseness = looseness;
  table.durations.assign(durations.data(), durations.data() + durations.size());
  table.until.assign(until.data(), until.data() + until.size());
  table.rates = list_of(rates);
  table.ahead = list_of(ahead);
  table.goals = flags_of(goals);
  nb::gil_scoped_release release;
  TimetableEdges edges(std::move(table));
  return Search(edges, settings, {}).run(landmark, 0);
}

}  // namespace

void bind_spacetime(nb::module_& m) {
  bind_estimates(m);
  bind_memory(m);
  bind_settings(m);
  bind_found(m);
  nb::class_<Skill> skill(m, "Skill", "A controller as searches through time run it.");
  skill.def(
      "__init__", &make_skill, nb::arg("go"), nb::arg("wait"), nb::arg("wait_axes"),
      nb::arg("wait_needs").noconvert(), nb::arg("halt").none(), nb::arg("fit"), nb::arg("size"),
      nb::arg("sides"), nb::arg("rays"), nb::arg("attempts"), nb::arg("unsourced"),
      nb::arg("needs").noconvert(), nb::arg("bounds").noconvert(), nb::arg("covered").noconvert(),
      nb::arg("along"), nb::arg("across"), nb::arg("jumps"), nb::arg("around"), nb::arg("over"),
      "bounds: speed, carry, arrival, rate, lower, metre, speed of the wait; gap, rise and drop "
      "that it crosses.");
  m.def(
      "search_runs", &run_search, nb::arg("world"), nb::arg("meetings"), nb::arg("skills"),
      nb::arg("waiting"), nb::arg("per_speed_squared"), nb::arg("on_body").noconvert(),
      nb::arg("own").none(), nb::arg("jumping").noconvert(), nb::arg("radii").noconvert(),
      nb::arg("ahead").noconvert(), nb::arg("soonest").none(), nb::arg("likely").none(),
      nb::arg("second"), nb::arg("memory").none(), nb::arg("goals").noconvert(),
      nb::arg("start").noconvert(), nb::arg("landmark"), nb::arg("refused").noconvert(),
      nb::arg("hints").noconvert(), nb::arg("settings"), nb::arg("spread"), nb::arg("readying"),
      nb::arg("boarding"), nb::arg("anywhere"), nb::arg("stands_at"), nb::arg("doubt"),
      nb::arg("cancel").none(),
      "A search over runs of controllers, and of each label of its path how long [s] it settles,\n"
      "how long [s] the way there takes at least, how one comes to a stand there and what that\n"
      "costs.");
  m.def("search_timetable", &table_search, nb::arg("durations").noconvert(),
        nb::arg("until").noconvert(), nb::arg("rates").noconvert(), nb::arg("ahead").noconvert(),
        nb::arg("goals").noconvert(), nb::arg("tick"), nb::arg("looseness"), nb::arg("landmark"),
        nb::arg("settings"),
        "A search over a timetable: durations [ticks] by from, controller, to and tick, 0 where\n"
        "there is no way; until: by landmark and tick, the last tick to which one can stay.");
}

}  // namespace surefoot::bindings
