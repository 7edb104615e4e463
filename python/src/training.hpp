// Training, paths and proofs: the library's pipeline, with losses and penalties of the user's own.
#pragma once

#include "arrays.hpp"

namespace spicymkl::python {

void bind_training(nb::module_& module);

}  // namespace spicymkl::python
