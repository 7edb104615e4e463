#include "given_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/named_table.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Names = std::vector<std::string>;

/// "a", "a or b", "a, b or c"
std::string either(const Names& names) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 == names.size() ? " or " : ", ") + names[k];
  return text;
}

/// `kind` is "penalty" or "loss" and `name` the chosen one, which takes the parameters `taken`; `takers` are those that
/// would take this one.
void refuse_unless_taken(const std::string& parameter, const std::string& kind, const std::string& name,
                         const Names& taken, const Names& takers, const GivenParameters& given) {
  if (takers.empty() || std::ranges::count(taken, parameter) > 0) return;  // of another kind, or used
  throw InputError(fmt::format("{} has no effect with the {} {}; leave it out, or choose {} {}",
                               given.spelled(parameter), name, kind, given.spelled(kind), either(takers)));
}

}  // namespace

void refuse_unused(const ProblemDescription& problem, const GivenParameters& given) {
  for (const std::string& parameter : given.names) {
    refuse_unless_taken(parameter, "penalty", problem.penalty, regularizer_type(problem.penalty).parameters,
                        names_with(regularizer_types(), parameter), given);
    if (problem.loss != "auto")
      refuse_unless_taken(parameter, "loss", problem.loss, loss_type(problem.loss).parameters,
                          names_with(loss_types(), parameter), given);
  }
}

}  // namespace spicymkl
