#include "learning/neighbours.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"

namespace surefoot::bindings {
namespace {

using learning::Neighbours;
using Rows = nb::ndarray<const double, nb::numpy, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

void check(const Neighbours& self, const Rows& rows) {
  if (rows.shape(1) != self.width()) throw nb::value_error("rows have another width");
}

}  // namespace

void bind_neighbours(nb::module_& m) {
  nb::class_<Neighbours> c(m, "Neighbours",
                           "A growing set of rows, and the nearest of them under a metric.");
  c.def(
      "__init__",
      [](Neighbours* self, const std::vector<std::tuple<int, int, bool, double>>& terms,
         size_t width) {
        std::vector<learning::Term> made;
        for (const auto& [first, size, rotation, weight] : terms) {
          made.push_back({first, size, rotation, weight});
        }
        new (self) Neighbours(std::move(made), width);
      },
      nb::arg("terms"), nb::arg("width"));
  c.def("__len__", &Neighbours::size);
  c.def(
      "add",
      [](Neighbours& self, const Rows& rows) {
        check(self, rows);
        check_finite<InputError, double>({rows.data(), rows.size()}, "rows");
        for (size_t i = 0; i < rows.shape(0); ++i) self.add(rows.data() + self.width() * i);
      },
      nb::arg("rows").noconvert());
  c.def(
      "novel",
      [](Neighbours& self, const Rows& rows, double apart) {
        check(self, rows);
        Output<bool, 1> out(rows.shape(0));
        int32_t who = 0;
        double away = 0;
        for (size_t i = 0; i < rows.shape(0); ++i) {
          const double* const row = rows.data() + self.width() * i;
          if (self.size() > 0) self.nearest(row, 1, &who, &away);
          out.data[i] = self.size() == 0 || away > apart;
          if (out.data[i]) self.add(row);
        }
        return out.array();
      },
      nb::arg("rows").noconvert(), nb::arg("apart"),
      "(n,): which are farther than that from all samples before them; those are added.");
  c.def(
      "nearest",
      [](const Neighbours& self, const Rows& rows, size_t k, int threads) {
        check(self, rows);
        if (k < 1 || k > self.size()) throw nb::value_error("k must be 1 to the samples");
        const size_t n = rows.shape(0);
        Output<int32_t, 1> who(n * k);
        Output<double, 1> away(n * k);
        {
          nb::gil_scoped_release release;
          self.nearest({rows.data(), n * self.width()}, k, threads, who.data, away.data,
                       python_interrupt());
        }
        return std::make_tuple(
            nb::ndarray<nb::numpy, int32_t, nb::shape<-1, -1>>(who.data, {n, k}, who.owner),
            nb::ndarray<nb::numpy, double, nb::shape<-1, -1>>(away.data, {n, k}, away.owner));
      },
      nb::arg("rows").noconvert(), nb::arg("k"), nb::arg("threads") = 1,
      "(n, k) samples nearest to each row, nearest first, and how far they are.");
}

}  // namespace surefoot::bindings
