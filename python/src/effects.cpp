#include "effects.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "spicymkl/model/effects.hpp"
#include "spicymkl/model/sources.hpp"

namespace spicymkl::python {

void bind_effects(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Source>(module, "Source", "A group that the user named, a column, a set of columns, or a Gram matrix.")
      .def_ro("name", &Source::name)
      .def_ro("kernels", &Source::kernels)
      .def_prop_ro(
          "weight", [](const Source& self) { return to_numpy(self.weight); }, nb::rv_policy::automatic, "Per fit.");
  nb::class_<ColumnDensity>(module, "ColumnDensity", "Where the training rows that the model keeps lie in a column.")
      .def_prop_ro(
          "places", [](const ColumnDensity& self) { return to_numpy(self.places); }, nb::rv_policy::automatic)
      .def_ro("counts", &ColumnDensity::counts)
      .def_ro("bin_width", &ColumnDensity::bin_width, "0: the places are values themselves.");
  nb::class_<ColumnEffect>(module, "ColumnEffect", "f_m(x) of the kernels that read one column alone.")
      .def_ro("name", &ColumnEffect::name)
      .def_ro("categories", &ColumnEffect::categories)
      .def_ro("kernels", &ColumnEffect::kernels)
      .def_prop_ro(
          "grid", [](const ColumnEffect& self) { return to_numpy(self.grid); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "total", [](const ColumnEffect& self) { return to_numpy(self.total); }, nb::rv_policy::automatic,
          "Grid x fits.")
      .def_prop_ro(
          "spread", [](const ColumnEffect& self) { return to_numpy(self.spread); }, nb::rv_policy::automatic,
          "Per fit, the standard deviation over training rows.")
      .def_ro("density", &ColumnEffect::density);
  module.def("kernel_sources", &kernel_sources, "model"_a, "All sources, in the order of their first kernels.");
  module.def("column_effects", &column_effects, "model"_a, "n_points"_a, "threads"_a,
             nb::call_guard<nb::gil_scoped_release>(),
             "One per column that some active kernel reads alone, in the order of the table.");
}

}  // namespace spicymkl::python
