// One problem solved.
#pragma once

#include "arrays.hpp"
#include "spicymkl/model/fit.hpp"

namespace spicymkl::python {

struct TrainedProblem {
  Fit fit;
  Vector weights;  ///< d_m of the active kernels
  History history;
  WarmStart warm_start;  ///< empty in models that were loaded
};

nb::dict history_dict(const History& history);

void bind_training(nb::module_& module);

}  // namespace spicymkl::python
