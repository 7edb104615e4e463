// A cross-validation as CSV, JSON and text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "spicymkl/selection/cross_validation.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

/// Some fold has scored it.
bool any_score(const CvPoint& point);

/// One row per point: alpha_ratio (relative alphas) or alpha, l1_ratio, q, mean, standard_error, n_active, chosen, and
/// the score of every fold; points without a score are left out.
std::string cv_csv(const CrossValidation& result);
/// One line per row, in the order of the table: its name, or number from 1, and the fold that tests it, counted from 1.
std::string fold_csv(const std::vector<Fold>& folds, const RowNames& rows, Index n_rows);
nlohmann::ordered_json cv_json(const CrossValidation& result);
/// A table with the best point, the one-standard-error point and the choice marked.
std::string cv_text(const CrossValidation& result);
/// Where the best alpha is at an edge of the grid, what to do about it; else empty. `spaced`: the grid was made by
/// --n-alphas and --alpha-ratio.
std::string edge_text(const CrossValidation& result, bool spaced);

}  // namespace spicymkl::cli
