#include "wording.hpp"

#include <fmt/format.h>

namespace spicymkl {

std::string counted(Index n, const std::string& noun, const std::string& plural) {
  return fmt::format("{} {}", n, n == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

}  // namespace spicymkl
