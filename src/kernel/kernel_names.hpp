// Names of kernels that the user did not name.
#pragma once

#include "spicymkl/kernel/groups.hpp"
#include "spicymkl/kernel/kernel_spec.hpp"

namespace spicymkl {

/// "width=0.5, shape=1", six digits each; "" without parameters.
std::string parameter_text(const KernelParameters& parameters);

/// "gaussian(width=0.5) on x1"
std::string kernel_name(std::string_view type, const KernelParameters& parameters, std::string_view columns);

/// A kernel of a preset, named after its columns; parameters checked and completed.
KernelSpec preset_kernel(std::string type, const KernelParameters& parameters, const ColumnGroup& on,
                         std::string group);

/// The second kernel of a name becomes "… #2", and so on: reports and models tell kernels apart by name.
void make_names_unique(std::vector<KernelSpec>& kernels);

}  // namespace spicymkl
