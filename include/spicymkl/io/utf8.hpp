// The encoding of all texts in model files and JSON.
#pragma once

#include <string_view>

namespace spicymkl {

bool is_utf8(std::string_view text);

}  // namespace spicymkl
