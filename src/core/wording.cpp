#include "wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace spicymkl {

std::string counted(Index n, const std::string& noun, const std::string& plural) {
  return fmt::format("{} {}", n, n == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 5;
  const std::vector<std::string> shown(names.begin(), names.begin() + std::min(kMostNames, names.size()));
  return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > kMostNames ? ", …" : "");
}

}  // namespace spicymkl
