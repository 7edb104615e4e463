// Studies: tasks that any process can do, and their results put together.
#pragma once

#include "arrays.hpp"

namespace spicymkl::python {

void bind_studies(nb::module_& module);

}  // namespace spicymkl::python
