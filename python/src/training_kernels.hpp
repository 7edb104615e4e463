// The kernels of a training set, ready to be learned from: the library's TrainingInput without a target.
#pragma once

#include "arrays.hpp"
#include "spicymkl/pipeline/training_input.hpp"
#include "spicymkl/report/data_summary.hpp"

namespace spicymkl::python {

struct TrainingKernels : TrainingInput {
  DataSummary data;  ///< what a report says of the rows
};

void bind_training_kernels(nb::module_& module);

}  // namespace spicymkl::python
