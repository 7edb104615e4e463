// spicymkl._core: the library, as the Python package calls it.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <omp.h>

#include <algorithm>

#include "effects.hpp"
#include "models.hpp"
#include "ranks.hpp"
#include "report.hpp"
#include "spicymkl/bank/bank_plan.hpp"
#include "spicymkl/baseline/baselines.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/version.hpp"
#include "studies.hpp"
#include "training.hpp"
#include "training_kernels.hpp"
#include "watch.hpp"

NB_MODULE(_core, module) {
  using namespace spicymkl::python;
  using namespace nb::literals;
  nb::register_exception_translator(
      [](const std::exception_ptr& pointer, void*) {
        try {
          std::rethrow_exception(pointer);
        } catch (const spicymkl::InputError& error) {
          PyErr_SetString(PyExc_ValueError, error.what());
        } catch (const spicymkl::Stopped&) {
          PyErr_SetString(PyExc_TimeoutError, "max_seconds was over before there was anything to keep; raise it");
        }
      },
      nullptr);
#ifdef SPICYMKL_BASELINES
  spicymkl::register_baselines();
#endif
  module.attr("__version__") = spicymkl::kVersion;
  module.def(
      "max_threads", [] { return std::min(omp_get_max_threads(), spicymkl::available_threads()); },
      "Threads that OMP_NUM_THREADS and the cores of this process allow.");
  module.def(
      "default_memory", [] { return spicymkl::default_bank_memory(); },
      "Half of the bytes that this process may still take.");
  bind_watch(module);
  bind_ranks(module);
  bind_training_kernels(module);
  bind_models(module);
  bind_effects(module);
  bind_training(module);
  bind_report(module);
  bind_studies(module);
}
