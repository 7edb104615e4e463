// Kernels that a list holds more than once.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/kernel/kernel_spec.hpp"

namespace spicymkl {

/// Leaves one of each set of kernels that are the same function of the same columns, in whatever order: same type,
/// parameters, normalisation and jitter. The first stays, with its name; it takes the group of a later one if it has
/// none. Gives the names of every set that was merged, that of the kernel that stays first.
std::vector<std::vector<std::string>> merge_identical(std::vector<KernelSpec>& kernels);

/// One sentence for the user; "" if nothing was merged.
std::string merged_text(const std::vector<std::vector<std::string>>& merged);

}  // namespace spicymkl
