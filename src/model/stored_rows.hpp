// The training rows that a model keeps, a part of them where there are many.
#pragma once

#include <algorithm>

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// Places of at most `most` rows of model.table->rows, evenly spaced; of fewer where `n_kernels` kernels on so many
/// rows would take more than some seconds.
inline std::vector<Index> some_stored_rows(const TableModel& table, Index n_kernels, Index most) {
  constexpr double kMostValues = 5e8;
  constexpr Index kFewest = 50;
  const double per_row = static_cast<double>(table.rows->n_rows()) * static_cast<double>(std::max<Index>(1, n_kernels));
  const Index affordable = std::max(kFewest, static_cast<Index>(kMostValues / std::max(1.0, per_row)));
  const Index n = std::min({table.rows->n_rows(), most, affordable});
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) rows.push_back(i * table.rows->n_rows() / n);
  return rows;
}

}  // namespace spicymkl
