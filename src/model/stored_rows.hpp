// The training rows that a model keeps, a part of them where there are many.
#pragma once

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// Places of at most `most` rows of model.table->rows, evenly spaced.
inline std::vector<Index> some_stored_rows(const TableModel& table, Index most) {
  const Index n = std::min(table.rows.n_rows(), most);
  std::vector<Index> rows;
  for (Index i = 0; i < n; ++i) rows.push_back(i * table.rows.n_rows() / n);
  return rows;
}

}  // namespace spicymkl
