#include "bindings/grid.hpp"
#include "geometry/mesh.hpp"
#include "grid/voxels.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace surefoot::bindings {
namespace {

using grid::Cell;
using grid::Voxels;
using VoxelsClass = nb::class_<Voxels>;

// One number of every row of cells.
template <class T, class Read>
auto each(const Voxels& voxels, Read read) {
  Output<T, 1> out(voxels.cells().size());
  for (size_t k = 0; k < out.rows; ++k) out.data[k] = static_cast<T>(read(voxels.cells()[k]));
  return out.array();
}

void bind_changes(VoxelsClass& c) {
  c.def(
      "put",
      [](Voxels& self, const Indices& ids, const std::vector<std::shared_ptr<Mesh>>& meshes,
         const Vectors& positions, const Quaternions& rotations, const Flags& solid,
         const Flags& forbidden, int threads) {
        const size_t n = meshes.size();
        if (ids.shape(0) != n || positions.shape(0) != n || rotations.shape(0) != n ||
            solid.shape(0) != n || forbidden.shape(0) != n)
          throw nb::value_error("ids, meshes, poses and flags must be as many");
        std::vector<grid::MeshBody> bodies(n);
        for (size_t k = 0; k < n; ++k) {
          const double* q = rotations.data() + 4 * k;
          const Frame frame(Pose{view(positions)[k], Quat{q[0], q[1], q[2], q[3]}});
          bodies[k] = {ids.data()[k], meshes[k], frame, solid.data()[k], forbidden.data()[k]};
        }
        nb::gil_scoped_release release;
        self.put(bodies, workers(threads));
      },
      nb::arg("ids").noconvert(), nb::arg("meshes"), nb::arg("positions").noconvert(),
      nb::arg("rotations").noconvert(), nb::arg("solid").noconvert(),
      nb::arg("forbidden").noconvert(), nb::arg("threads") = 1,
      "Bodies come, or move when their id (>= 0) is there already. Only the columns that they\n"
      "touch or touched are cut anew. `solid`: closed parts that look outward are filled.\n"
      "`forbidden`: keeps its height, but nobody stands on it. ProblemError when the memory limit\n"
      "would be passed; it says the cell size that fits.");
  c.def(
      "put_cells",
      [](Voxels& self, int32_t id, const Triples& cells, bool forbidden, int threads) {
        nb::gil_scoped_release release;
        self.put(grid::CellBody{id, view(cells), forbidden}, workers(threads));
      },
      nb::arg("id"), nb::arg("cells").noconvert(), nb::arg("forbidden") = false,
      nb::arg("threads") = 1,
      "A body that fills whole cells (column i, column j, level): an occupancy map.");
  c.def(
      "remove",
      [](Voxels& self, const Indices& ids, int threads) {
        nb::gil_scoped_release release;
        self.remove(view(ids), workers(threads));
      },
      nb::arg("ids").noconvert(), nb::arg("threads") = 1, "Bodies go; unknown ids are no error.");
  c.def_prop_ro("version", &Voxels::version, "Counts the changes.");
}

void bind_cells(VoxelsClass& c) {
  c.def(
      "__len__", [](const Voxels& self) { return self.cells().size(); },
      "Rows of surface cells, with those that hold none; a cell's id is its row.");
  c.def_prop_ro("count", &Voxels::live, "Surface cells that are there.");
  c.def_prop_ro("pieces", &Voxels::pieces, "Parts of triangles in columns.");
  c.def_prop_ro("bytes", &Voxels::bytes, "Memory taken, about.");
  c.def(
      "live",
      [](const Voxels& self) {
        return each<bool>(self, [](const Cell& cell) { return cell.column >= 0; });
      },
      "Per row: it holds a cell. The other arrays mean nothing where it does not.");
  c.def(
      "columns",
      [](const Voxels& self) {
        Output<int32_t, 2> out(self.cells().size());
        for (size_t k = 0; k < out.rows; ++k) {
          const int32_t column = self.cells()[k].column;
          const grid::ColumnPlace at =
              column < 0 ? grid::ColumnPlace{0, 0} : self.tiles().place(column);
          out.data[2 * k] = at.i, out.data[2 * k + 1] = at.j;
        }
        return out.array();
      },
      "(n, 2): the column (i, j) of each cell; cell (0, 0) starts at the origin.");
  c.def(
      "levels",
      [](const Voxels& self) {
        Output<int32_t, 2> out(self.cells().size());
        for (size_t k = 0; k < out.rows; ++k) {
          out.data[2 * k] = self.cells()[k].lo;
          out.data[2 * k + 1] = self.cells()[k].hi;
        }
        return out.array();
      },
      "(n, 2): the lowest and highest slice of the run of occupied ones that the cell tops.");
  c.def(
      "bottoms",
      [](const Voxels& self) {
        return each<double>(self,
                            [z = self.lattice().origin.z](const Cell& k) { return k.bottom + z; });
      },
      "(n,): the lowest point of the run [m].");
  c.def(
      "tops",
      [](const Voxels& self) {
        return each<double>(self,
                            [z = self.lattice().origin.z](const Cell& k) { return k.top + z; });
      },
      "(n,): the highest point of the cell [m]; moves compare these.");
  c.def(
      "grounds",
      [](const Voxels& self) {
        return each<double>(self,
                            [z = self.lattice().origin.z](const Cell& k) { return k.ground + z; });
      },
      "(n,): where a foot stands: under the cell's centre, or else the highest ground [m].");
  c.def(
      "headrooms",
      [](const Voxels& self) {
        return each<double>(self, [](const Cell& k) { return k.headroom; });
      },
      "(n,): from the top to what is above [m], infinite under the sky.");
  c.def(
      "weights",
      [](const Voxels& self) { return each<double>(self, [](const Cell& k) { return k.weight; }); },
      "(n,): the share of the cell's square that offers ground near its top, 0 to 1.");
  c.def(
      "slopes",
      [](const Voxels& self) {
        return each<double>(self,
                            [](const Cell& k) { return std::acos(std::min(1.0f, k.upright)); });
      },
      "(n,): how steep that ground is, averaged over its area [rad].");
  c.def(
      "bodies",
      [](const Voxels& self) { return each<int32_t>(self, [](const Cell& k) { return k.body; }); },
      "(n,): whose ground it is, or whose top.");
  c.def(
      "forbidden",
      [](const Voxels& self) {
        return each<bool>(self, [](const Cell& k) { return k.forbidden; });
      },
      "(n,): a forbidden body is at the top.");
  c.def(
      "positions",
      [](const Voxels& self) {
        Output<double, 3> out(self.cells().size());
        for (size_t k = 0; k < out.rows; ++k) out.put(k, self.position(static_cast<int32_t>(k)));
        return out.array();
      },
      "(n, 3): the cells' centres on the ground [m].");
  c.def(
      "occupied",
      [](const Voxels& self) {
        size_t count = 0;
        for (const Cell& cell : self.cells())
          if (cell.column >= 0) count += cell.hi - cell.lo + 1;
        Output<int32_t, 3> out(count);
        int32_t* next = out.data;
        for (const Cell& cell : self.cells()) {
          if (cell.column < 0) continue;
          const grid::ColumnPlace at = self.tiles().place(cell.column);
          for (int32_t level = cell.lo; level <= cell.hi; ++level)
            *next++ = at.i, *next++ = at.j, *next++ = level;
        }
        return out.array();
      },
      "(m, 3): every occupied cell (column i, column j, level).");
  c.def(
      "locate",
      [](const Voxels& self, const Vectors& points, double up, double down) {
        Output<int32_t, 1> out(points.shape(0));
        for (size_t k = 0; k < out.rows; ++k) out.data[k] = self.locate(view(points)[k], up, down);
        return out.array();
      },
      nb::arg("points").noconvert(), nb::arg("up"), nb::arg("down"),
      "(n,): the cell in each point's column whose top is nearest in height, at most `up` above "
      "or\n"
      "`down` below [m]; -1 for none.");
}

}  // namespace

void bind_grid(nb::module_& m) {
  VoxelsClass c(
      m, "GridVoxels",
      "A world cut into cells (bandi2000, 3): occupied slices of columns, and the surface cells "
      "on\n"
      "top. Cell (i, j, level) spans cell * (i, i + 1), cell * (j, j + 1), rise * (level, level + "
      "1)\n"
      "from the origin. A cell is occupied when something is inside it; touching its side is not\n"
      "inside, and a face on the side between two cells is in the one behind it.");
  c.def(
      "__init__",
      [](Voxels* self, double cell, double rise, std::tuple<double, double, double> origin,
         double max_slope, double relief, double memory_limit) {
        grid::VoxelSettings settings;
        settings.lattice = {
            cell, rise, {std::get<0>(origin), std::get<1>(origin), std::get<2>(origin)}};
        settings.max_slope = max_slope;
        settings.relief = relief;
        settings.memory_limit = memory_limit;
        new (self) Voxels(settings);
      },
      nb::arg("cell"), nb::arg("rise"), nb::arg("origin") = std::make_tuple(0.0, 0.0, 0.0),
      nb::arg("max_slope") = 0.61, nb::arg("relief") = 0.2, nb::arg("memory_limit") = 2e9,
      "cell: side of a cell seen from above [m]. rise: height of a slice [m]. origin: a corner of\n"
      "cell (0, 0, 0) [m]. max_slope: steeper faces are no ground [rad]. relief: how far below a\n"
      "cell's top ground still counts [m]. memory_limit: bytes, about. Values are trusted.");
  c.def_prop_ro("cell", [](const Voxels& self) { return self.lattice().cell; });
  c.def_prop_ro("rise", [](const Voxels& self) { return self.lattice().rise; });
  c.def_prop_ro("origin", [](const Voxels& self) {
    const Vec3 o = self.lattice().origin;
    return std::make_tuple(o.x, o.y, o.z);
  });
  bind_changes(c);
  bind_cells(c);
}

}  // namespace surefoot::bindings
