// Numbers and names in sentences.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// "1 kernel", "5 kernels"; `plural` where it is not the noun with an s.
std::string counted(Index n, const std::string& noun, const std::string& plural = "");

/// "a, b, c": the first few names.
std::string listed(const std::vector<std::string>& names);

}  // namespace spicymkl
