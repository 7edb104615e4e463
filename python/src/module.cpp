// spicymkl._core: the library, as the Python package calls it.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <omp.h>

#include <algorithm>

#include "models.hpp"
#include "objective.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/loss/loss.hpp"
#include "spicymkl/regularizer/regularizer.hpp"
#include "spicymkl/version.hpp"
#include "training.hpp"
#include "training_kernels.hpp"

NB_MODULE(_core, module) {
  using namespace spicymkl::python;
  using namespace nb::literals;
  nb::register_exception_translator(
      [](const std::exception_ptr& pointer, void*) {
        try {
          std::rethrow_exception(pointer);
        } catch (const spicymkl::InputError& error) {
          PyErr_SetString(PyExc_ValueError, error.what());
        }
      },
      nullptr);
  module.attr("__version__") = spicymkl::kVersion;
  module.def(
      "max_threads", [] { return std::min(omp_get_max_threads(), spicymkl::available_threads()); },
      "Threads that OMP_NUM_THREADS and the cores of this process allow.");
  module.def(
      "losses_with", [](const std::string& parameter) { return spicymkl::losses_with(parameter); }, "parameter"_a,
      "The losses that take this parameter.");
  module.def(
      "penalties_with", [](const std::string& parameter) { return spicymkl::regularizers_with(parameter); },
      "parameter"_a, "The penalties that take this parameter.");
  bind_training_kernels(module);
  bind_objective(module);
  bind_training(module);
  bind_models(module);
}
