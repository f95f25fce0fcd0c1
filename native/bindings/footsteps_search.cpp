#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/footsteps.hpp"
#include "footsteps/around.hpp"
#include "footsteps/detour.hpp"

namespace surefoot::bindings {
namespace {

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
        need(world == nullptr || world == &(*terrain)->world(), "terrains of different worlds");
        world = &(*terrain)->world();
      }
    if (world == nullptr || errands.empty()) {
      work(errands, goals, nullptr, found, threads);
      return;
    }
    double from = kInfinity, to = -kInfinity;
    for (const Errand& errand : errands) {
      const double longest = errand.horizon > 0 ? 1.5 * errand.horizon + 15 : 69;
      from = std::min(from, errand.start.t);
      to = std::max(to, std::min(errand.latest, errand.start.t + longest));
    }
    world->during(from, std::max(from, to), [&](const BroadPhase::Span& span) {
      for (const Errand& errand : errands) {
        const State& s = errand.start;
        for (const int32_t body : {s.body, s.on[0], s.on[1]})
          if (body >= 0) world->check_body(body, "the body of a start");
        for (const WayPoint& point : errand.way)
          if (point.body >= 0) world->check_body(point.body, "the body of a way-point");
      }
      for (const auto& terrain : terrains)
        if (terrain && *terrain != nullptr) (*terrain)->refresh();
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
        errand.carriers = grounds[t].get();
        const State from = rebased(errand.carriers, errand.start, -1, errand.start.t);
        traffic.near(from.x, from.y, goals[7 * i + 5], ids[i], near);
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
             double max_slope, double clearance, double radius, double foot_length,
             double foot_width) {
            new (self)
                Terrain(std::move(world),
                        {height, rise, max_slope, clearance, radius, {foot_length, foot_width}});
          },
          nb::arg("world"), nb::arg("height"), nb::arg("rise"), nb::arg("max_slope"),
          nb::arg("clearance"), nb::arg("radius"), nb::arg("foot_length"), nb::arg("foot_width"))
      .def("__len__", &Terrain::squares);
  m.def(
      "footstep_strikes",
      [](Terrain& terrain, const Matrix& doubts, const Indices& bodies,
         const std::vector<std::shared_ptr<Track>>& tracks, double now, double ahead, double room) {
        Output<double, 1> out(tracks.size());
        const std::vector<Doubt> wide = doubts_of(doubts);
        check_size(ahead, "ahead");
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
        check_state(at, "state");
        bool stands = false;
        {
          nb::gil_scoped_release release;
          terrain.world().during(at.t, at.t, [&](const BroadPhase::Span& span) {
            for (const int32_t body : {at.body, at.on[0], at.on[1]})
              if (body >= 0) terrain.world().check_body(body, "the body of a state");
            terrain.refresh();
            stands = Ground(terrain, span, {}).stands(table.actions[stand], at);
          });
        }
        Output<double, kStateColumns> out(stands ? 1 : 0);
        if (stands) put_state(at, out.data);
        return out.array();
      },
      nb::arg("terrain"), nb::arg("table"), nb::arg("stand"), nb::arg("state").noconvert(),
      "(1, 10): a state with both feet on the ground; (0, 10) where that does not hold them.");
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
                 actions.shape(0) == n && offsets.shape(0) == n + 1 && way.shape(1) == 5 &&
                 goals.shape(0) == n && goals.shape(1) == 7 && horizons.shape(0) == n &&
                 budgets.shape(0) == n && settings.shape(0) == 8 &&
                 guides.size() == tables.size() && terrains.size() == tables.size(),
             "columns of errands do not fit each other");
        std::vector<Errand> errands(n);
        std::vector<WayPoint> points;
        for (size_t i = 0; i < way.shape(0); ++i) {
          const double* p = way.data() + 5 * i;
          points.push_back({p[0], p[1], p[2], p[3], static_cast<int32_t>(p[4])});
        }
        for (size_t i = 0; i < n; ++i) {
          const int32_t table = which.data()[i], first = offsets.data()[i],
                        last = offsets.data()[i + 1];
          need(table >= 0 && static_cast<size_t>(table) < tables.size(), "no such table");
          need(first >= 0 && first < last && static_cast<size_t>(last) <= way.shape(0),
               "every errand needs a point to go to");
          const double *s = starts.data() + kStateColumns * i, *g = goals.data() + 7 * i;
          errands[i] = {state_of(s),
                        actions.data()[i],
                        {points.data() + first, points.data() + last},
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

void bind_footstep_search(nb::module_& m) {
  bind_terrain(m);
  bind_standing(m);
  bind_search(m);
}

}  // namespace surefoot::bindings
