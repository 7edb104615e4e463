// Which rows were tested together in a cross-validation.
#pragma once

#include <string>

#include "row_names.hpp"
#include "spicymkl/selection/folds.hpp"

namespace spicymkl::cli {

/// One line per row, in the order of the table: its name, or number from 1, and the fold that tests it, counted from 1.
std::string fold_csv(const std::vector<Fold>& folds, const RowNames& rows, Index n_rows);

}  // namespace spicymkl::cli
