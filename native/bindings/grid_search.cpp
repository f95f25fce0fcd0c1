#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/grid.hpp"
#include "grid/plane.hpp"
#include "grid/rerouting.hpp"
#include "grid/sight_field.hpp"

namespace surefoot::bindings {
namespace {

using grid::CellPath;
using grid::Front;
using grid::Pathfinder;

auto as_tuple(const CellPath& path) {
  return std::make_tuple(numbers(path.cells), numbers(path.actions), path.cost, path.reached,
                         path.exhausted, path.expanded);
}

grid::CellCosts costs_of(const std::string& metric, int connectivity,
                         const std::optional<Prices>& prices) {
  grid::CellCosts costs;
  if (metric == "steps")
    costs.metric = grid::Metric::kSteps;
  else if (metric != "euclidean")
    throw nb::value_error(("unknown metric '" + metric + "'; there are: euclidean, steps").c_str());
  if (connectivity != 4 && connectivity != 8) throw nb::value_error("connectivity must be 4 or 8");
  costs.connectivity = connectivity;
  costs.prices = view(prices);
  return costs;
}

std::span<const double> costs_for(const std::optional<Numbers>& costs, size_t count) {
  if (!costs) return {};
  if (costs->shape(0) != count) throw nb::value_error("there must be a cost for each cell");
  return view(*costs);
}

void bind_search(nb::module_& m) {
  nb::class_<Pathfinder> c(
      m, "GridSearch",
      "Searches over surface cells (bandi2000, 4, 5 and 7), with a workspace\n"
      "that is kept: one for each thread. A move costs its length (with the\n"
      "rise) or its number of steps, times the action's price, times the mean\n"
      "of both cells' prices.");
  c.def(
      "__init__",
      [](Pathfinder* self, std::shared_ptr<grid::Moves> moves) {
        new (self) Pathfinder(std::move(moves));
      },
      nb::arg("moves"));
  c.def(
      "path",
      [](Pathfinder& self, const Indices& starts, const Indices& goals,
         const std::optional<Numbers>& start_costs, const std::optional<Numbers>& goal_costs,
         const std::string& metric, int connectivity, const std::optional<Prices>& prices,
         std::vector<std::pair<int32_t, int32_t>> banned, bool guided, size_t limit) {
        std::sort(banned.begin(), banned.end());
        grid::PathTask task;
        task.starts = view(starts), task.goals = view(goals);
        task.start_costs = costs_for(start_costs, task.starts.size());
        task.goal_costs = costs_for(goal_costs, task.goals.size());
        task.costs = costs_of(metric, connectivity, prices);
        task.costs.banned = banned;
        task.guided = guided;
        task.limit = limit;
        task.interrupt = python_interrupt();
        CellPath path;
        {
          nb::gil_scoped_release release;
          path = self.path(task);
        }
        return as_tuple(path);
      },
      nb::arg("starts").noconvert(), nb::arg("goals").noconvert(), nb::kw_only(),
      nb::arg("start_costs").none() = nb::none(), nb::arg("goal_costs").none() = nb::none(),
      nb::arg("metric") = "euclidean", nb::arg("connectivity") = 8,
      nb::arg("prices").none() = nb::none(),
      nb::arg("banned") = std::vector<std::pair<int32_t, int32_t>>(), nb::arg("guided") = true,
      nb::arg("limit") = 0,
      "The cheapest way from any start to any goal: cells, the action that leads to each next "
      "one,\n"
      "the cost, whether a goal was reached, whether the limit (of cells expanded; 0: none) ended\n"
      "it, and the cells expanded. Without a goal reached it is the way to the cell nearest to "
      "one.\n"
      "start_costs, goal_costs: what is paid before and after. metric: 'euclidean' [m] or "
      "'steps'.\n"
      "connectivity: 8, or 4 for sides only. prices: (n,) float32, at least 1; infinite closes a\n"
      "cell unless it is a start or a goal. banned: moves (from, to) that cannot be made after\n"
      "all. guided: A*, otherwise a bushfire.");
  c.def(
      "front",
      [](Pathfinder& self, const Indices& sources, const std::optional<Numbers>& source_costs,
         bool backward, const std::optional<Indices>& targets, bool every_target,
         const std::string& metric, int connectivity, const std::optional<Prices>& prices,
         size_t limit) {
        grid::PathTask task;
        task.starts = view(sources);
        task.start_costs = costs_for(source_costs, task.starts.size());
        if (targets) task.goals = view(*targets);
        task.every_goal = every_target;
        task.costs = costs_of(metric, connectivity, prices);
        task.costs.backward = backward;
        task.limit = limit;
        task.interrupt = python_interrupt();
        nb::gil_scoped_release release;
        return std::make_shared<Front>(self.share(), task);
      },
      nb::arg("sources").noconvert(), nb::kw_only(), nb::arg("source_costs").none() = nb::none(),
      nb::arg("backward") = false, nb::arg("targets").none() = nb::none(),
      nb::arg("every_target") = true, nb::arg("metric") = "euclidean", nb::arg("connectivity") = 8,
      nb::arg("prices").none() = nb::none(), nb::arg("limit") = 0,
      "Spreads a front from all sources and keeps it as a distance field. backward: against the\n"
      "moves, so that costs lead from every cell to the sources. targets: stop when all of them,\n"
      "or with every_target false any, are reached.");
  c.def(
      "reroute",
      [](Pathfinder& self, const Indices& cells, size_t at, bool nearest, const std::string& metric,
         int connectivity, const std::optional<Prices>& prices, size_t limit) {
        grid::PathTask task;
        task.costs = costs_of(metric, connectivity, prices);
        task.limit = limit;
        task.interrupt = python_interrupt();
        for (const int32_t cell : view(cells))
          if (cell >= 0) checked(self.moves(), cell);
        grid::Mended mended;
        {
          nb::gil_scoped_release release;
          mended = grid::reroute(self, view(cells), at, nearest, task);
        }
        return std::tuple_cat(as_tuple(mended.path), std::make_tuple(mended.head, mended.tail));
      },
      nb::arg("cells").noconvert(), nb::arg("at") = 0, nb::kw_only(), nb::arg("nearest") = false,
      nb::arg("metric") = "euclidean", nb::arg("connectivity") = 8,
      nb::arg("prices").none() = nb::none(), nb::arg("limit") = 0,
      "Mends an old path, whose cells (-1: gone) are found again by GridVoxels.locate, from its\n"
      "cell number `at` on (bandi2000, 8.3): as `path`, and how many of its first and last cells\n"
      "are old. The new part leads from the last cell before the first break to any behind the\n"
      "last; the shortest by itself when `nearest`, otherwise what makes the whole cheapest.");
  c.def(
      "broken",
      [](const Pathfinder& self, const Indices& cells, const std::optional<Prices>& prices) {
        for (const int32_t cell : view(cells))
          if (cell >= 0) checked(self.moves(), cell);
        const std::vector<uint8_t> found = grid::broken(self.moves(), view(cells), view(prices));
        Output<bool, 1> out(found.size());
        std::copy(found.begin(), found.end(), out.data);
        return out.array();
      },
      nb::arg("cells").noconvert(), nb::arg("prices").none() = nb::none(),
      "(n - 1,): which moves of a path cannot be made (any more); cells may be -1.");
}

int32_t cell_of(const Front& front, int32_t cell) {
  if (cell < 0 || cell >= static_cast<int32_t>(front.rows()))
    throw grid::GridError(std::to_string(cell) + " is no cell");
  return cell;
}

void bind_front(nb::module_& m) {
  nb::class_<Front>(m, "GridFront", "A front that has spread: a distance field.")
      .def_prop_ro("current", &Front::current, "Nothing has changed since.")
      .def_prop_ro("expanded", [](const Front& self) { return self.result().expanded; })
      .def_prop_ro("exhausted", [](const Front& self) { return self.result().exhausted; })
      .def_prop_ro(
          "reached", [](const Front& self) { return self.result().reached; },
          "Whether the targets were reached.")
      .def(
          "costs",
          [](const Front& self) {
            Output<double, 1> out(self.rows());
            for (size_t k = 0; k < out.rows; ++k) out.data[k] = self.cost(static_cast<int32_t>(k));
            return out.array();
          },
          "(n,): what it costs to get to each cell (from it, when backward); infinite where the\n"
          "front did not come by.")
      .def(
          "cost", [](const Front& self, int32_t cell) { return self.cost(cell_of(self, cell)); },
          nb::arg("cell"))
      .def(
          "parents",
          [](const Front& self) {
            Output<int32_t, 1> out(self.rows());
            for (size_t k = 0; k < out.rows; ++k)
              out.data[k] = self.parent(static_cast<int32_t>(k));
            return out.array();
          },
          "(n,): the cell that the front came from (that leads on, when backward), or -1.")
      .def(
          "trace",
          [](const Front& self, int32_t cell) { return as_tuple(self.trace(cell_of(self, cell))); },
          nb::arg("cell"), "As `GridSearch.path`: the way to a cell, or from it when backward.")
      .def(
          "retrace",
          [](const Front& self, int32_t cell, int connectivity, const Indices& order) {
            for (const int32_t d : view(order))
              if (d < 0 || d > 7) throw nb::value_error("directions are 0 to 7");
            return as_tuple(self.trace(cell_of(self, cell), connectivity, view(order)));
          },
          nb::arg("cell"), nb::arg("connectivity"), nb::arg("order").noconvert(),
          "The paper's second stage (4.1, 5.5): back from a cell, always to the neighbour of the\n"
          "lowest level, of equal ones the first in `order` (directions as in `GridMoves.links`).");
}

void bind_sights(nb::module_& m) {
  using grid::SightField;
  nb::class_<SightField>(
      m, "GridSights",
      "A distance field whose ways are straight: from each cell to the farthest one on its way\n"
      "that it sees. Made once for a goal that many have; then a way costs as much as it has\n"
      "corners.")
      .def(
          "__init__",
          [](SightField* self, std::shared_ptr<Front> front, const std::optional<Prices>& prices) {
            const Interrupt interrupt = python_interrupt();
            nb::gil_scoped_release release;
            new (self) SightField(std::move(front), view(prices), interrupt);
          },
          nb::arg("front"), nb::arg("prices").none() = nb::none(),
          "prices: as the front had them. The front counts lengths, not steps.")
      .def(
          "nexts",
          [](const SightField& self) {
            Output<int32_t, 1> out(self.front().rows());
            for (size_t k = 0; k < out.rows; ++k) out.data[k] = self.next(static_cast<int32_t>(k));
            return out.array();
          },
          "(n,): where the way from each cell turns next, or -1.")
      .def(
          "corners",
          [](const SightField& self, const Indices& cells) {
            std::vector<int32_t> corners, starts{0};
            for (const int32_t cell : view(cells)) {
              self.corners(cell_of(self.front(), cell), corners);
              starts.push_back(static_cast<int32_t>(corners.size()));
            }
            return std::make_tuple(numbers(corners), numbers(starts));
          },
          nb::arg("cells").noconvert(),
          "The cells where the ways between cells and the front's source turn, ends among them,\n"
          "as they are walked, one way after the other; and where each begins in that list\n"
          "(n + 1).");
}

// A graph and what searches over it keep.
template <class Graph>
struct Finder {
  Graph graph;
  grid::Nodes nodes;
  grid::SortedBuckets queue;

  template <size_t Axes>
  auto way(int32_t start, int32_t goal) {
    graph.aim(goal);
    const grid::Seed from{start, 0}, to{goal, 0};
    const Interrupt interrupt = python_interrupt();
    const grid::SearchTask task{{&from, 1}, {&to, 1}, false, 0, &interrupt};
    grid::SearchResult result;
    std::vector<int32_t> cells;
    {
      nb::gil_scoped_release release;
      result = grid::search(graph, task, graph.cells(), nodes, queue);
      if (result.reached)
        for (int32_t at = goal; at >= 0; at = nodes[at].parent) cells.push_back(at);
    }
    Output<int32_t, Axes> out(cells.size());
    for (size_t k = 0; k < cells.size(); ++k) {
      const auto place = graph.place(cells[cells.size() - 1 - k]);
      std::copy_n(place.data(), Axes, out.data + Axes * k);
    }
    const double cost =
        result.reached ? static_cast<double>(result.total) / Graph::kUnit : kInfinity;
    return std::make_tuple(out.array(), cost, result.expanded);
  }
};
using PlaneFinder = Finder<grid::Plane>;
using FlightFinder = Finder<grid::Flight>;

void bind_other_graphs(nb::module_& m) {
  using Map = nb::ndarray<const bool, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
  using Space =
      nb::ndarray<const bool, nb::numpy, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;
  using Spot2 = std::pair<int32_t, int32_t>;
  using Spot3 = std::tuple<int32_t, int32_t, int32_t>;
  nb::class_<PlaneFinder>(
      m, "GridPlane",
      "The same search on a plane of open cells: 8 neighbours, diagonals sqrt 2\n"
      "long and only between open cells.")
      .def(
          "__init__",
          [](PlaneFinder* self, const Map& open) {
            const auto height = static_cast<int64_t>(open.shape(0));
            const auto width = static_cast<int64_t>(open.shape(1));
            new (self) PlaneFinder{grid::Plane(width, height, open.data()), {}, {}};
          },
          nb::arg("open").noconvert(), "open: (height, width), row y, column x.")
      .def(
          "path",
          [](PlaneFinder& self, Spot2 start, Spot2 goal) {
            const grid::Plane& plane = self.graph;
            if (!plane.inside(start.first, start.second) || !plane.inside(goal.first, goal.second))
              throw nb::value_error("start and goal must be on the plane");
            return self.way<2>(plane.cell(start.first, start.second),
                               plane.cell(goal.first, goal.second));
          },
          nb::arg("start"), nb::arg("goal"),
          "From (x, y) to (x, y): cells (k, 2), the length (infinite for none) and the cells\n"
          "expanded.");
  nb::class_<FlightFinder>(m, "GridFlight",
                           "The same search through open voxels: 26 neighbours, and the whole box\n"
                           "around a move must be open.")
      .def(
          "__init__",
          [](FlightFinder* self, const Space& open) {
            const std::array<int64_t, 3> size{static_cast<int64_t>(open.shape(0)),
                                              static_cast<int64_t>(open.shape(1)),
                                              static_cast<int64_t>(open.shape(2))};
            new (self) FlightFinder{grid::Flight(size, open.data()), {}, {}};
          },
          nb::arg("open").noconvert(), "open: (x, y, z).")
      .def(
          "path",
          [](FlightFinder& self, Spot3 start, Spot3 goal) {
            const auto spot = [&](const Spot3& s) {
              const grid::Flight::Place p{std::get<0>(s), std::get<1>(s), std::get<2>(s)};
              if (!self.graph.inside(p))
                throw nb::value_error("start and goal must be in the space");
              return self.graph.cell(p);
            };
            const int32_t from = spot(start), to = spot(goal);
            return self.way<3>(from, to);
          },
          nb::arg("start"), nb::arg("goal"),
          "From (x, y, z) to (x, y, z): cells (k, 3), the length (infinite for none) and the "
          "cells\n"
          "expanded.");
}

}  // namespace

void bind_grid_search(nb::module_& m) {
  bind_search(m);
  bind_front(m);
  bind_sights(m);
  bind_other_graphs(m);
}

}  // namespace surefoot::bindings
