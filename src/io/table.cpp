#include "spicymkl/io/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cell.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

/// For every code of `present`, its code in `known`; −1 where `known` does not have it.
std::vector<Index> code_map(const std::vector<std::string>& present, const std::vector<std::string>& known) {
  std::vector<Index> map;
  for (const std::string& text : present) {
    const auto found = std::find(known.begin(), known.end(), text);
    map.push_back(found == known.end() ? -1 : found - known.begin());
  }
  return map;
}

}  // namespace

std::string Table::place(Index row) const {
  if (lines.empty()) return fmt::format("{}, row {}", path, row + 1);
  return at_line(path, lines[static_cast<std::size_t>(row)]);
}

std::string Table::place(Index row, Index column) const {
  return fmt::format("{}, column {}", place(row), in_quotes(columns[static_cast<std::size_t>(column)]));
}

std::string Table::target_place(Index row) const {
  return fmt::format("{}, column {}", place(row), in_quotes(target_name));
}

Table select_rows(const Table& table, std::span<const Index> rows) {
  Table part{table.path,
             table.columns,
             Matrix(static_cast<Index>(rows.size()), table.values.cols()),
             table.categories,
             table.target_name,
             {},
             {}};
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<std::size_t>(rows[k]);
    part.values.row(static_cast<Index>(k)) = table.values.row(rows[k]);
    if (table.has_target()) part.target.push_back(table.target[row]);
    if (!table.lines.empty()) part.lines.push_back(table.lines[row]);
  }
  return part;
}

void check_complete(const Table& table) {
  Index missing = 0;
  Index first_row = table.rows();
  Index first_column = 0;
  for (Index j = 0; j < table.values.cols(); ++j) {
    const auto nan = table.values.col(j).array().isNaN();
    const Index count = nan.count();
    missing += count;
    Index row = 0;
    if (count > 0) nan.maxCoeff(&row);
    if (count == 0 || row >= first_row) continue;
    first_row = row;
    first_column = j;
  }
  if (missing == 0) return;
  throw InputError(
      fmt::format("{}: the cell is missing ({} in all); fill missing cells in, or have them imputed by median or mean",
                  table.place(first_row, first_column), missing == 1 ? "1 cell" : fmt::format("{} cells", missing)));
}

void recode_categories(Table& table, const std::vector<std::vector<std::string>>& categories) {
  if (categories.size() != table.columns.size())
    throw InputError(fmt::format("{}: has {} columns, the training table has {}; give the same columns", table.path,
                                 table.columns.size(), categories.size()));
  for (std::size_t j = 0; j < categories.size(); ++j) {
    const std::vector<std::string>& present = table.categories[j];
    if (present.empty() && categories[j].empty()) continue;
    const std::vector<Index> map = code_map(present, categories[j]);
    auto column = table.values.col(static_cast<Index>(j));
    for (Index i = 0; i < column.size(); ++i) {
      if (std::isnan(column(i))) continue;
      const auto code = static_cast<std::size_t>(column(i));
      if (code >= map.size() || map[code] < 0)
        throw InputError(fmt::format(
            "{}: {} is not among the {} categories of the training table; correct it or leave the "
            "cell empty",
            table.place(i, static_cast<Index>(j)),
            in_quotes(code < present.size() ? present[code] : fmt::format("{}", column(i))), categories[j].size()));
      column(i) = static_cast<double>(map[code]);
    }
    table.categories[j] = categories[j];
  }
}

}  // namespace spicymkl
