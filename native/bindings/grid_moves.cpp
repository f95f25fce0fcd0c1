#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/grid.hpp"
#include "grid/borders.hpp"
#include "grid/smoothing.hpp"

namespace surefoot::bindings {
namespace {

using grid::Action;
using grid::Borders;
using grid::Moves;
using MovesClass = nb::class_<Moves>;

grid::Corners corners_of(const std::string& name) {
  if (name == "both") return grid::Corners::kBothFlanks;
  if (name == "one") return grid::Corners::kOneFlank;
  if (name == "cut") return grid::Corners::kCut;
  throw nb::value_error(("unknown corners '" + name + "'; there are: both, one, cut").c_str());
}

void bind_action(nb::module_& m) {
  nb::class_<Action>(m, "GridAction",
                     "What someone does to get to the next cell (bandi2000, 6.1 and 8.2).")
      .def(
          "__init__",
          [](Action* self, double up, double down, double height, double span, double max_slope,
             double min_weight, double lift, bool gaps, bool euclidean, double price,
             int priority) {
            new (self) Action{span, up,   down,      height, max_slope, min_weight,
                              lift, gaps, euclidean, price,  priority};
          },
          nb::kw_only(), nb::arg("up"), nb::arg("down"), nb::arg("height"), nb::arg("span") = 0.0,
          nb::arg("max_slope") = 0.61, nb::arg("min_weight") = 0.0, nb::arg("lift") = 0.0,
          nb::arg("gaps") = true, nb::arg("euclidean") = false, nb::arg("price") = 1.0,
          nb::arg("priority") = 0,
          "up, down: how much higher or lower the next cell may be [m]. height: the room that the\n"
          "body needs above the ground [m]. span: how far it reaches past the cells around [m],\n"
          "along x plus along y (the paper's) or as the crow flies; 0: only the cells around.\n"
          "max_slope: the steepest ground stood on [rad]. min_weight: the least share of a cell\n"
          "that offers ground. lift: what is passed over may be this much above the higher end\n"
          "[m]. gaps: may cross columns without a floor. price: what a metre or a step costs, > "
          "0.\n"
          "priority: of moves that cost the same the lower wins. Values are trusted.")
      .def_ro("up", &Action::up)
      .def_ro("down", &Action::down)
      .def_ro("height", &Action::height)
      .def_ro("span", &Action::span)
      .def_ro("max_slope", &Action::max_slope)
      .def_ro("min_weight", &Action::min_weight)
      .def_ro("lift", &Action::lift)
      .def_ro("gaps", &Action::gaps)
      .def_ro("euclidean", &Action::euclidean)
      .def_ro("price", &Action::price)
      .def_ro("priority", &Action::priority);
}

void bind_lists(MovesClass& c) {
  c.def("__len__", &Moves::rows, "Rows of cells, as many as the voxels have.");
  c.def_prop_ro("bytes", &Moves::bytes, "Memory taken, about.");
  c.def_prop_ro("reach", &Moves::reach, "Columns that the farthest action spans.");
  c.def(
      "fits",
      [](const Moves& self) {
        Output<int32_t, 1> out(self.rows());
        for (size_t k = 0; k < out.rows; ++k)
          out.data[k] = self.links(static_cast<int32_t>(k)).fits;
        return out.array();
      },
      "(n,): one bit for each action with which someone can be in the cell.");
  c.def(
      "links",
      [](const Moves& self) {
        Output<int32_t, 8> out(self.rows());
        for (size_t k = 0; k < out.rows; ++k)
          std::copy_n(self.links(static_cast<int32_t>(k)).to, 8, out.data + 8 * k);
        return out.array();
      },
      "(n, 8): the cells around that can be reached, or -1: +x, +y, -x, -y, then the corners\n"
      "(+x, +y), (-x, +y), (-x, -y), (+x, -y).");
  c.def(
      "edges",
      [](const Moves& self, bool arriving) {
        std::vector<int32_t> found;
        const auto n = static_cast<int32_t>(self.rows());
        for (int32_t cell = 0; cell < n; ++cell) {
          if (!arriving) {
            self.each_move(cell, [&](int32_t to, int action, int, int) {
              found.insert(found.end(), {cell, to, action});
            });
            continue;
          }
          const grid::Links& links = self.links(cell);
          for (int d = 0; d < 8; ++d)
            if (links.mutual >> d & 1)
              found.insert(found.end(), {links.to[d], cell, links.action(d)});
          for (const grid::Leap& leap : self.arrivals(cell))
            found.insert(found.end(), {leap.cell, cell, leap.action});
        }
        Output<int32_t, 3> out(found.size() / 3);
        std::copy(found.begin(), found.end(), out.data);
        return out.array();
      },
      nb::arg("arriving") = false,
      "(m, 3): every move as (from, to, action), listed where it starts or where it arrives.");
  c.def(
      "regions",
      [](const Moves& self, bool mutual) {
        std::vector<int32_t> found;
        {
          nb::gil_scoped_release release;
          found = grid::regions(self, mutual);
        }
        Output<int32_t, 1> out(found.size());
        std::copy(found.begin(), found.end(), out.data);
        return out.array();
      },
      nb::arg("mutual") = true,
      "(n,): the reachable region of each cell (bandi2000, 6.2), -1 where nobody fits. Mutual:\n"
      "there are ways both there and back between any two of its cells; otherwise no way leads\n"
      "out or in.");
}

void bind_paths(MovesClass& c) {
  c.def(
      "straightened",
      [](const Moves& self, const Indices& cells, const Indices& actions,
         const std::optional<Prices>& prices) {
        const grid::CellPath path =
            grid::Smoother(self, view(prices)).straightened(path_of(self, cells, actions));
        return std::make_tuple(numbers(path.cells), numbers(path.actions));
      },
      nb::arg("cells").noconvert(), nb::arg("actions").noconvert(),
      nb::arg("prices").none() = nb::none(),
      "A path with straight lines of cells (DDA) between the cells where it turned, wherever they\n"
      "can be walked and cost no more (bandi2000, 7.4): cells and actions.");
  c.def(
      "corners",
      [](const Moves& self, const Indices& cells, const Indices& actions,
         const std::optional<Prices>& prices) {
        return numbers(grid::Smoother(self, view(prices)).corners(path_of(self, cells, actions)));
      },
      nb::arg("cells").noconvert(), nb::arg("actions").noconvert(),
      nb::arg("prices").none() = nb::none(),
      "Positions in a path, first and last among them, of cells that see each other one after the\n"
      "other: the straight line between their centres never leaves cells joined by moves of the\n"
      "same action, nor enters closed ones, and costs no more. Other moves stay as they are.");
  c.def(
      "sees",
      [](const Moves& self, const Indices& starts, const Indices& ends, int action,
         const std::optional<Prices>& prices) {
        if (starts.shape(0) != ends.shape(0))
          throw nb::value_error("starts and ends must be as many");
        const grid::Smoother smoother(self, view(prices));
        Output<bool, 1> out(starts.shape(0));
        for (size_t k = 0; k < out.rows; ++k)
          out.data[k] =
              smoother.sees(checked(self, starts.data()[k]), checked(self, ends.data()[k]), action);
        return out.array();
      },
      nb::arg("starts").noconvert(), nb::arg("ends").noconvert(), nb::arg("action") = 0,
      nb::arg("prices").none() = nb::none(),
      "(n,): whether the straight line between two cells' centres stays on cells joined by moves\n"
      "of an action.");
}

void bind_borders(nb::module_& m) {
  nb::class_<Borders>(m, "GridBorders",
                      "Border cells (bandi2000, 7.3): those that lack, on one of their sides, a\n"
                      "cell that can be reached.")
      .def(
          "__init__",
          [](Borders* self, std::shared_ptr<Moves> moves, int layers, int actions, bool diagonals,
             int threads) {
            nb::gil_scoped_release release;
            new (self)
                Borders(std::move(moves), {layers, static_cast<uint16_t>(actions), diagonals},
                        workers(threads));
          },
          nb::arg("moves"), nb::arg("layers") = 1, nb::arg("actions") = 0xffff,
          nb::arg("diagonals") = false, nb::arg("threads") = 1,
          "layers: how many cells deep, up to 254. actions: one bit for each action whose moves\n"
          "count, so that a side that only others cross is a border. diagonals: corners count as\n"
          "sides.")
      .def(
          "update",
          [](Borders& self, int threads) {
            nb::gil_scoped_release release;
            return self.update(workers(threads));
          },
          nb::arg("threads") = 1, "Follows the moves; tells how many cells were looked at.")
      .def(
          "layers", [](const Borders& self) { return numbers(self.layers()); },
          "(n,): 0 inside, 1 at the border, 2 next to that and so on; 255 where nobody fits.");
}

}  // namespace

void bind_grid_moves(nb::module_& m) {
  bind_action(m);
  MovesClass c(
      m, "GridMoves",
      "Which cell can be reached from which (bandi2000, 6.2 and 7.1) by someone with some\n"
      "actions. Cells around are linked; farther ones are sought across sides without a\n"
      "link or with a ledge.");
  c.def(
      "__init__",
      [](Moves* self, std::shared_ptr<grid::Voxels> voxels, const std::vector<Action>& actions,
         const std::string& corners, bool first_layer, double ledge, int threads) {
        if (actions.empty() || actions.size() > grid::kMostActions)
          throw nb::value_error("there must be 1 to 16 actions");
        const grid::MoveSettings settings{actions, corners_of(corners), first_layer, ledge};
        nb::gil_scoped_release release;
        new (self) Moves(std::move(voxels), settings, workers(threads));
      },
      nb::arg("voxels"), nb::arg("actions"), nb::arg("corners") = "both",
      nb::arg("first_layer") = false, nb::arg("ledge") = -1.0, nb::arg("threads") = 1,
      "corners: a move across a corner needs 'both' cells beside it, 'one' of them (the paper's\n"
      "Fig. 5) or none ('cut'). first_layer: only the nearest cells in each of eight directions,\n"
      "the paper's first way, which misses some (7.2). ledge: a side this much higher or lower\n"
      "counts as broken [m]; negative: what the steepest slope rises over a cell.");
  c.def(
      "update",
      [](Moves& self, int threads) {
        nb::gil_scoped_release release;
        return self.update(workers(threads));
      },
      nb::arg("threads") = 1,
      "Follows the voxels; tells how many cells were looked at. Searches refuse moves that are\n"
      "behind.");
  c.def_prop_ro("current", &Moves::current, "Whether they are up to date with their voxels.");
  bind_lists(c);
  bind_paths(c);
  bind_borders(m);
}

}  // namespace surefoot::bindings
