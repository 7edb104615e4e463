// The kernels of a training set, ready to be learned from: the library's TrainingInput without a target.
#pragma once

#include "arrays.hpp"
#include "spicymkl/pipeline/training_input.hpp"

namespace spicymkl::python {

std::vector<std::string> kernel_names(const TrainingInput& input);

void bind_training_kernels(nb::module_& module);

}  // namespace spicymkl::python
