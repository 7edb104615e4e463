// Missing cells filled in: learned on the training rows, applied to any rows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/io/table.hpp"

namespace spicymkl {

enum class ImputeMethod { median, mean };

/// "median" or "mean"; throws InputError for anything else.
ImputeMethod parse_impute_method(std::string_view name);
std::string_view name_of(ImputeMethod method);

struct Imputer {
  ImputeMethod method = ImputeMethod::median;
  Vector fill;  ///< per column

  /// Replaces every NaN; `values` has the columns of the training table.
  void apply(MatrixRef values) const;
};

/// From `rows` of the table alone. A categorical column takes its most frequent category, the first in order if several
/// are. Throws InputError for a column without any value in those rows.
Imputer fit_imputer(const Table& table, ImputeMethod method, std::span<const Index> rows);

/// From all rows.
Imputer fit_imputer(const Table& table, ImputeMethod method);

}  // namespace spicymkl
