// A finished model in words and as JSON, and its history as CSV.
#pragma once

#include <string>
#include <vector>

#include "pipeline/explanation.hpp"
#include "spicymkl/bank/bank.hpp"
#include "spicymkl/model/model.hpp"
#include "spicymkl/selection/measure.hpp"

namespace spicymkl::cli {

/// The heaviest sources and kernels only, unless `every_kernel`.
std::string summary_text(const Model& model, bool every_kernel = false);
/// One object; with several fits {"status", …, "classes" or "targets": [one object per fit]}. `test` is for {"test":
/// …}, `estimate` for {"estimate": …}.
std::string summary_json(const Model& model, const std::vector<BankUse>& bank, const std::optional<Evaluation>& test,
                         const std::optional<TrainingEstimate>& estimate = std::nullopt);
/// {"n_samples", "n_kernels", "estimate": …, "seconds_kernels", "plan": …, "stages": [as in the above, expected]}
std::string explanation_json(const Explanation& explanation);
/// How the kernels were kept, in one line.
std::string bank_text(const std::vector<BankUse>& bank);
/// What inspect reports: the model, and {"fits": [one object per fit]}.
std::string inspect_json(const Model& model);
/// With several fits the first column is the class or the target.
std::string history_csv(const Model& model, const std::vector<History>& histories);

}  // namespace spicymkl::cli
