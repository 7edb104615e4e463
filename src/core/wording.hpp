// Numbers in sentences.
#pragma once

#include <string>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// "1 kernel", "5 kernels"; `plural` where it is not the noun with an s.
std::string counted(Index n, const std::string& noun, const std::string& plural = "");

}  // namespace spicymkl
