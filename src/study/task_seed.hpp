// Seeds that depend on what a task is, and on nothing else: neither on who does it nor on what was done before.
#pragma once

#include <cstdint>
#include <string_view>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// For the use that `purpose` names, in the `first`-th and `second`-th of something. 31 bits, which every generator
/// takes, so that a loop written elsewhere can use the same.
std::uint32_t task_seed(std::uint64_t study_seed, std::string_view purpose, Index first, Index second = 0);

}  // namespace spicymkl
