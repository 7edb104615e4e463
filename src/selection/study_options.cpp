#include "study_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "spicymkl/core/error.hpp"
#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

const OptionTable<StudyOptions>& study_option_table() {
  using O = StudyOptions;
  static const OptionTable<O> table = {
      {"repeats", &O::repeats, "how often the rows are divided anew for the honest score (0: no score)"},
      {"outer", &O::outer, "parts of the rows, each of which is scored once per repeat"},
      {"inner", &O::inner, "folds by which each model chooses its alpha"},
      {"stability", &O::stability, "pairs of halves of the rows in which selection is counted (0: none)"},
      {"permutations", &O::permutations, "shuffles of the target for the p-value of the model (0: none)"},
      {"threshold", &O::threshold, "frequency from which on a kernel or source counts as selected", {}, true},
      {"false_selections", &O::false_selections, "how many of them may be false, expected at most", {}, true},
      {"error_bound",
       &O::error_bound,
       "what is assumed for that bound (Shah and Samworth)",
       {"unimodal", "nothing"},
       true},
  };
  return table;
}

void check(const StudyOptions& options, const std::string& penalty) {
  for (const auto& [name, value, least] : {std::tuple{"repeats", options.repeats, 0},
                                           {"outer", options.outer, 2},
                                           {"inner", options.inner, 2},
                                           {"stability", options.stability, 0},
                                           {"permutations", options.permutations, 0}})
    if (value < least) throw InputError(fmt::format("{} is {}, but it must be {} or more", name, value, least));
  if (options.repeats == 0 && options.stability == 0 && options.permutations == 0)
    throw InputError("repeats, stability and permutations are all 0: there is nothing to do");
  if (!(options.threshold > 0.5 && options.threshold <= 1))
    throw InputError(
        fmt::format("threshold is {}, but it must be above 0.5, at most 1: no bound holds below", options.threshold));
  if (!(options.false_selections > 0))
    throw InputError(fmt::format("false_selections is {}, but it must be above 0", options.false_selections));
  if (options.error_bound != "unimodal" && options.error_bound != "nothing")
    throw InputError(
        fmt::format("error_bound is '{}'; choose unimodal or nothing, which is what is assumed", options.error_bound));
  if (options.stability > 0 && std::ranges::count(selecting_penalties(), penalty) == 0)
    throw InputError(
        fmt::format("the {} penalty gives every kernel a weight, so that there is no selection to count; give "
                    "--stability 0, or choose {}",
                    penalty, fmt::join(selecting_penalties(), " or ")));
}

}  // namespace spicymkl
