// What sources and columns do in a model.
#pragma once

#include "arrays.hpp"

namespace spicymkl::python {

void bind_effects(nb::module_& module);

}  // namespace spicymkl::python
