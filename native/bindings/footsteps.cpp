#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "footsteps/around.hpp"
#include "footsteps/detour.hpp"

namespace surefoot::bindings {
namespace {

using namespace footsteps;
using Matrix = nb::ndarray<const double, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void need(bool good, const char* message) {
  if (!good) throw nb::value_error(message);
}

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

// A state as a row of numbers, and the other way.
constexpr int kStateColumns = 8, kEndColumns = kStateColumns + 6;

void put_state(const State& s, double* row) {
  const double all[kStateColumns] = {s.x, s.y,       s.z,       s.heading,
                                     s.t, s.feet[0], s.feet[1], static_cast<double>(s.body)};
  std::copy(all, all + kStateColumns, row);
}

State state_of(const double* row) {
  State s = facing(row[0], row[1], row[2], row[3], row[4]);
  s.feet[0] = row[5], s.feet[1] = row[6], s.body = static_cast<int32_t>(row[7]);
  return s;
}

void put_treads(const Treads& treads, double* row) {
  for (int i = 0; i < 4; ++i) row[i] = static_cast<double>(treads.tilt[i / 2][i % 2]);
  row[4] = static_cast<double>(treads.arch), row[5] = static_cast<double>(treads.effort);
}

Treads treads_of(const double* row) {
  Treads treads;
  for (int i = 0; i < 4; ++i) treads.tilt[i / 2][i % 2] = static_cast<float>(row[i]);
  treads.arch = static_cast<float>(row[4]), treads.effort = static_cast<float>(row[5]);
  return treads;
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
    need(durations.data()[i] > 0, "an action must last longer than nothing");
    need(next >= 0 && static_cast<size_t>(next) < n, "a stop must be one of the actions");
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
  for (size_t i = 0; i < n; ++i) {
    size_t at = i, steps = 0;
    while (!table->actions[at].stands && steps++ <= n)
      at = static_cast<size_t>(table->actions[at].stop);
    need(table->actions[at].stands, "every action must lead to a stand");
    const int32_t first = offsets.data()[i], last = offsets.data()[i + 1];
    need(first >= 0 && first <= last && static_cast<size_t>(last) <= successors.shape(0),
         "offsets must increase");
    need(usual.data()[i] >= first && usual.data()[i] <= last, "usual successors come first");
  }
  for (size_t i = 0; i < successors.shape(0); ++i)
    need(successors.data()[i] >= 0 && static_cast<size_t>(successors.data()[i]) < n,
         "a successor must be one of the actions");
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
            need(reel->pieces.size() == self.actions.size(), "a reel of another table");
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

// Actions of all plans one after the other; floors where they end; figures of each plan.
auto results(const std::vector<Found>& found) {
  const size_t n = found.size();
  Output<int32_t, 1> offsets(n + 1);
  offsets.data[0] = 0;
  for (size_t i = 0; i < n; ++i)
    offsets.data[i + 1] = offsets.data[i] + static_cast<int32_t>(found[i].actions.size());
  const auto total = static_cast<size_t>(offsets.data[n]);
  Output<int32_t, 1> actions(total);
  Output<double, kEndColumns> ends(total);
  Output<int64_t, 7> counts(n);
  Output<double, 3> costs(n);
  for (size_t i = 0; i < n; ++i) {
    const Found& one = found[i];
    std::copy(one.actions.begin(), one.actions.end(), actions.data + offsets.data[i]);
    for (size_t k = 0; k < one.ends.size(); ++k) {
      double* row = ends.data + kEndColumns * (static_cast<size_t>(offsets.data[i]) + k);
      put_state(one.ends[k], row);
      put_treads(one.treads[k], row + kStateColumns);
    }
    const int64_t row[7] = {one.chosen,    one.reached, one.exhausted, one.expanded,
                            one.generated, one.refused, one.stuck};
    std::copy(row, row + 7, counts.data + 7 * i);
    const double cost[3] = {one.cost, one.left, one.bound};
    std::copy(cost, cost + 3, costs.data + 3 * i);
  }
  return std::make_tuple(offsets.array(), actions.array(), ends.array(), counts.array(),
                         costs.array());
}

void bind_track(nb::module_& m) {
  nb::class_<Track>(m, "FootstepTrack", "Steps that are placed: where a body is at any time.")
      .def(
          "__init__",
          [](Track* self, std::shared_ptr<StepTable> table, const Numbers& start,
             const Indices& actions, const Matrix& ends) {
            need(start.shape(0) == kStateColumns, "a start is a row of a state");
            need(actions.shape(0) > 0, "a track needs an action");
            need(ends.shape(1) == kEndColumns &&
                     (ends.shape(0) == 0 || ends.shape(0) == actions.shape(0)),
                 "a track needs a row where each action ends");
            for (const int32_t action : view(actions))
              need(action >= 0 && static_cast<size_t>(action) < table->actions.size(),
                   "an action must be one of the table's");
            std::vector<State> states;
            std::vector<Treads> treads;
            for (size_t i = 0; i < ends.shape(0); ++i) {
              states.push_back(state_of(ends.data() + kEndColumns * i));
              treads.push_back(treads_of(ends.data() + kEndColumns * i + kStateColumns));
            }
            new (self)
                Track(std::move(table), state_of(start.data()),
                      {view(actions).begin(), view(actions).end()}, states, std::move(treads));
          },
          nb::arg("table"), nb::arg("start").noconvert(), nb::arg("actions").noconvert(),
          nb::arg("ends").noconvert())
      .def_prop_ro(
          "states",
          [](const Track& self) {
            Output<double, kStateColumns> out(self.states().size());
            for (size_t i = 0; i < out.rows; ++i)
              put_state(self.states()[i], out.data + kStateColumns * i);
            return out.array();
          },
          nb::rv_policy::move,
          "(k + 1, 8): x, y, z, heading, time, heights under left and right foot, and whose frame "
          "(-1: the world's), where each action begins and the last one ends.")
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
            need(stand >= 0 && static_cast<size_t>(stand) < reel->pieces.size() &&
                     reel->pieces.size() == self.table().actions.size(),
                 "a reel of another table");
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

std::vector<Doubt> doubts_of(const Matrix& rows) {
  need(rows.shape(1) == 4, "doubts are body, growth, most and now");
  std::vector<Doubt> doubts;
  for (size_t i = 0; i < rows.shape(0); ++i) {
    const double* row = rows.data() + 4 * i;
    doubts.push_back({static_cast<int32_t>(row[0]), static_cast<float>(row[1]),
                      static_cast<float>(row[2]), row[3]});
  }
  return doubts;
}

// Many errands at once.
struct Job {
  const std::vector<std::shared_ptr<StepTable>>& tables;
  const std::vector<std::optional<const Guide*>>& guides;
  const std::vector<std::optional<Terrain*>>& terrains;
  const Traffic& traffic;
  std::span<const Doubt> doubts;
  std::span<const int32_t> ids, which;
  const double* settings;

  void run(const std::vector<Errand>& errands, std::span<const double> goals,
           std::vector<Found>& found, int threads) const {
    const World* world = nullptr;
    for (const auto& terrain : terrains)
      if (terrain && *terrain != nullptr) {
        (*terrain)->refresh();
        need(world == nullptr || world == &(*terrain)->world(), "terrains of different worlds");
        world = &(*terrain)->world();
      }
    if (world == nullptr || errands.empty()) {
      work(errands, goals, nullptr, found, threads);
      return;
    }
    double from = kInfinity, to = -kInfinity;
    for (const Errand& errand : errands) {
      const double longest = errand.horizon > 0 ? 1.5 * errand.horizon + 6 : 60;
      from = std::min(from, errand.start.t);
      to = std::max(to, std::min(errand.latest, errand.start.t + longest));
    }
    world->during(from, std::max(from, to), [&](const BroadPhase::Span& span) {
      work(errands, goals, &span, found, threads);
    });
  }

  void work(const std::vector<Errand>& errands, std::span<const double> goals,
            const BroadPhase::Span* span, std::vector<Found>& found, int threads) const {
    const double* c = settings;
    parallel_for(errands.size(), threads, 8, python_interrupt(), [&](size_t first, size_t last) {
      // What a thread keeps of one table from errand to errand.
      std::vector<std::unique_ptr<Searcher>> searchers(tables.size());
      std::vector<std::unique_ptr<Ground>> grounds(tables.size());
      std::vector<const Track*> near;
      for (size_t i = first; i < last; ++i) {
        const auto t = static_cast<size_t>(which[i]);
        Errand errand = errands[i];
        if (!searchers[t]) {
          searchers[t] =
              std::make_unique<Searcher>(*tables[t], guides[t].value_or(nullptr),
                                         SearchSettings{c[0], c[1], c[2], c[3], c[4], c[6], c[7]});
          Terrain* terrain = terrains[t].value_or(nullptr);
          if (terrain != nullptr && span != nullptr)
            grounds[t] = std::make_unique<Ground>(*terrain, *span, doubts);
        }
        traffic.near(errand.start.x, errand.start.y, goals[7 * i + 5], ids[i], near);
        Around around(*tables[t], near, traffic.find(ids[i]), grounds[t].get(), errand.start.t,
                      static_cast<float>(c[5]), errand.rough);
        const std::vector<WayPoint> way = detour(errand, near, grounds[t].get());
        errand.way = way;
        found[i] = searchers[t]->search(errand, around);
      }
    });
  }
};

void bind_terrain(nb::module_& m) {
  nb::class_<Terrain>(m, "FootstepTerrain", "A world under and around feet.")
      .def(
          "__init__",
          [](Terrain* self, std::shared_ptr<World> world, double height, double rise,
             double max_slope, double clearance, double foot_length, double foot_width) {
            new (self) Terrain(std::move(world),
                               {height, rise, max_slope, clearance, {foot_length, foot_width}});
          },
          nb::arg("world"), nb::arg("height"), nb::arg("rise"), nb::arg("max_slope"),
          nb::arg("clearance"), nb::arg("foot_length"), nb::arg("foot_width"))
      .def("__len__", &Terrain::squares);
  m.def(
      "footstep_strikes",
      [](Terrain& terrain, const Matrix& doubts, const Indices& bodies,
         const std::vector<std::shared_ptr<Track>>& tracks, double now, double ahead, double room) {
        Output<double, 1> out(tracks.size());
        const std::vector<Doubt> wide = doubts_of(doubts);
        {
          nb::gil_scoped_release release;
          terrain.world().during(now, now + ahead, [&](const BroadPhase::Span& span) {
            Ground ground(terrain, span, wide);
            for (size_t i = 0; i < tracks.size(); ++i)
              out.data[i] = first_strike(ground, *tracks[i], view(bodies), now, ahead,
                                         static_cast<float>(room));
          });
        }
        return out.array();
      },
      nb::arg("terrain"), nb::arg("doubts").noconvert(), nb::arg("bodies").noconvert(),
      nb::arg("tracks"), nb::arg("now"), nb::arg("ahead"), nb::arg("room"),
      "When each plan is struck by one of some bodies; infinity for never.");
}

void bind_standing(nb::module_& m) {
  m.def(
      "footstep_stand",
      [](Terrain& terrain, const StepTable& table, int32_t stand, const Numbers& start) {
        need(start.shape(0) == kStateColumns, "a start is a row of a state");
        need(stand >= 0 && static_cast<size_t>(stand) < table.actions.size(), "no such action");
        State at = state_of(start.data());
        bool stands = false;
        terrain.refresh();
        terrain.world().during(at.t, at.t, [&](const BroadPhase::Span& span) {
          stands = Ground(terrain, span, {}).stands(table.actions[stand], at);
        });
        Output<double, kStateColumns> out(stands ? 1 : 0);
        if (stands) put_state(at, out.data);
        return out.array();
      },
      nb::arg("terrain"), nb::arg("table"), nb::arg("stand"), nb::arg("state").noconvert(),
      "(1, 8): a state with both feet on the ground; (0, 8) where that does not hold them.");
}

void bind_search(nb::module_& m) {
  m.def(
      "plan_footsteps",
      [](const std::vector<std::shared_ptr<StepTable>>& tables,
         const std::vector<std::optional<const Guide*>>& guides,
         const std::vector<std::optional<Terrain*>>& terrains, Traffic& traffic,
         const Matrix& doubts, const Indices& ids, const Indices& which, const Matrix& starts,
         const Indices& actions, const Indices& offsets, const Matrix& way, const Matrix& goals,
         const Indices& horizons, const Indices& budgets, const Numbers& settings, int threads) {
        const size_t n = ids.shape(0);
        need(which.shape(0) == n && starts.shape(0) == n && starts.shape(1) == kStateColumns &&
                 actions.shape(0) == n && offsets.shape(0) == n + 1 && way.shape(1) == 4 &&
                 goals.shape(0) == n && goals.shape(1) == 7 && horizons.shape(0) == n &&
                 budgets.shape(0) == n && settings.shape(0) == 8 &&
                 guides.size() == tables.size() && terrains.size() == tables.size(),
             "columns of errands do not fit each other");
        std::vector<Errand> errands(n);
        for (size_t i = 0; i < n; ++i) {
          const int32_t table = which.data()[i], first = offsets.data()[i],
                        last = offsets.data()[i + 1];
          need(table >= 0 && static_cast<size_t>(table) < tables.size(), "no such table");
          need(actions.data()[i] >= 0 &&
                   static_cast<size_t>(actions.data()[i]) < tables[table]->actions.size(),
               "an action must be one of the table's");
          need(first >= 0 && first < last && static_cast<size_t>(last) <= way.shape(0),
               "every errand needs a point to go to");
          const double *s = starts.data() + kStateColumns * i, *g = goals.data() + 7 * i;
          const auto* points = reinterpret_cast<const WayPoint*>(way.data());
          errands[i] = {state_of(s),
                        actions.data()[i],
                        {points + first, points + last},
                        g[0],
                        g[1],
                        g[2],
                        g[3],
                        g[4],
                        horizons.data()[i],
                        budgets.data()[i],
                        g[6] != 0};
        }
        const double* c = settings.data();
        std::vector<Found> found(n);
        const std::vector<Doubt> wide = doubts_of(doubts);
        {
          nb::gil_scoped_release release;
          traffic.prepare();
          const Job job{tables, guides, terrains, traffic, wide, view(ids), view(which), c};
          job.run(errands, {goals.data(), 7 * n}, found, threads);
        }
        return results(found);
      },
      nb::arg("tables"), nb::arg("guides"), nb::arg("terrains"), nb::arg("traffic"),
      nb::arg("doubts").noconvert(), nb::arg("ids").noconvert(), nb::arg("which").noconvert(),
      nb::arg("starts").noconvert(), nb::arg("actions").noconvert(), nb::arg("offsets").noconvert(),
      nb::arg("way").noconvert(), nb::arg("goals").noconvert(), nb::arg("horizons").noconvert(),
      nb::arg("budgets").noconvert(), nb::arg("settings").noconvert(), nb::arg("threads"),
      "Plans for some characters, each for itself. Goals (n, 7): tolerance, heading (NaN: any), "
      "its "
      "tolerance, earliest and latest time, how far to look, whether the ground is rough. "
      "Settings: weight, way-point, merging "
      "(metres, radians, seconds), room, first weight and how much it falls.");
}

}  // namespace

void bind_footsteps(nb::module_& m) {
  bind_table(m);
  bind_track(m);
  bind_spots(m);
  bind_traffic(m);
  bind_terrain(m);
  bind_standing(m);
  bind_search(m);
}

}  // namespace surefoot::bindings
