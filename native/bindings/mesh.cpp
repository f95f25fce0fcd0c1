#include "geometry/mesh.hpp"

#include <memory>

#include "bindings/arrays.hpp"

namespace surefoot::bindings {

void bind_mesh(nb::module_& m) {
  using Faces =
      nb::ndarray<const int32_t, nb::numpy, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
  nb::class_<Mesh>(m, "Mesh", "A triangle mesh and its bounding-volume tree.")
      .def(
          "__init__",
          [](Mesh* self, const Vectors& vertices, const Faces& faces) {
            const std::span<const Vec3> points = view(vertices);
            std::vector<Vec3> v(points.begin(), points.end());
            std::vector<Mesh::Face> f(faces.shape(0));
            for (size_t i = 0; i < f.size(); ++i)
              f[i] = {faces.data()[3 * i], faces.data()[3 * i + 1], faces.data()[3 * i + 2]};
            nb::gil_scoped_release release;
            new (self) Mesh(std::move(v), std::move(f));
          },
          nb::arg("vertices").noconvert(), nb::arg("faces").noconvert())
      .def(
          "closed",
          [](const Mesh& self) {
            Output<bool, 1> out(self.closed().size());
            for (size_t i = 0; i < out.rows; ++i) out.data[i] = self.closed()[i] != 0;
            return out.array();
          },
          "Per triangle: part of a closed component.");
}

}  // namespace surefoot::bindings
