#include "named_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "closest.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

void refuse_name(std::string_view what, std::string_view name, const std::vector<std::string>& known) {
  throw InputError(fmt::format("{} '{}' is not known{}; choose one of {}", what, name, did_you_mean(name, known),
                               fmt::join(known, ", ")));
}

}  // namespace spicymkl
