#include "fold_csv.hpp"

#include <fmt/format.h>

#include "io/csv_text.hpp"

namespace spicymkl::cli {

std::string fold_csv(const std::vector<Fold>& folds, const RowNames& rows, Index n_rows) {
  std::vector<std::size_t> fold_of(n_rows, 0);
  for (std::size_t f = 0; f < folds.size(); ++f)
    for (const Index row : folds[f].test) fold_of[row] = f + 1;
  std::string text = rows.ids.empty() ? "row,fold\n" : csv_cell(rows.name) + ",fold\n";
  for (std::size_t i = 0; i < fold_of.size(); ++i)
    text += fmt::format("{},{}\n", rows.ids.empty() ? fmt::format("{}", i + 1) : csv_cell(rows.ids[i]), fold_of[i]);
  return text;
}

}  // namespace spicymkl::cli
