// Parameters that a user gave are used, or refused by name: who sets one expects an effect.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "spicymkl/model/problem_description.hpp"

namespace spicymkl {

struct GivenParameters {
  std::set<std::string> names;  ///< of the option tables, such as l1_ratio: those that were given, not left to default
  std::function<std::string(const std::string&)> spelled;  ///< what the user typed: --l1-ratio for l1_ratio
};

/// A parameter that the penalty or the loss of the problem does not take is an InputError. The loss "auto" is not
/// judged.
void refuse_unused(const ProblemDescription& problem, const GivenParameters& given);

}  // namespace spicymkl
