// Numbers in sentences.
#pragma once

#include <string>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// "1 kernel", "5 kernels"; `plural` where it is not the noun with an s.
std::string counted(Index n, const std::string& noun, const std::string& plural = "");

/// "812 bytes", "3.4 MB", "1.82 GB": three digits in powers of 1000.
std::string size_in_words(double bytes);

/// "0.3 s", "45 s", "12 min", "3.5 h", "4 days": two digits or so, for estimates.
std::string duration_in_words(double seconds);

}  // namespace spicymkl
