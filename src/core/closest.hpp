// What was probably meant by a name that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace spicymkl {

/// The candidate that is nearest to `name`, counting letters that are wrong, missing, too many or swapped with their
/// neighbour, upper and lower case alike; or one that begins with it. Empty if none is near enough to be what was
/// meant.
std::string closest(std::string_view name, const std::vector<std::string>& candidates);

/// " (did you mean 'logistic'?)" for a sentence that says that `name` is not known, or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace spicymkl
