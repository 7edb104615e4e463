// The kernels of a training set, ready to be learned from: the library's TrainingInput without a target.
#pragma once

#include "arrays.hpp"

namespace spicymkl::python {

void bind_training_kernels(nb::module_& module);

}  // namespace spicymkl::python
