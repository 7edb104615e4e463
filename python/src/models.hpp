// Models: what is kept, its file, predictions.
#pragma once

#include "arrays.hpp"

namespace spicymkl::python {

void bind_models(nb::module_& module);

}  // namespace spicymkl::python
