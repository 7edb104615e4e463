// The HTML report, the same page as the command's.
#pragma once

#include "arrays.hpp"

namespace spicymkl::python {

void bind_report(nb::module_& module);

}  // namespace spicymkl::python
