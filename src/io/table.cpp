#include "spicymkl/io/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cell.hpp"
#include "core/wording.hpp"
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
  const std::string id = ids.empty() || ids[row].empty() ? "" : fmt::format(" ({} {})", id_name, in_quotes(ids[row]));
  return (lines.empty() ? fmt::format("{}, row {}", path, row + 1) : at_line(path, lines[row])) + id;
}

std::string Table::place(Index row, Index column) const {
  return fmt::format("{}, column {}", place(row), in_quotes(columns[column]));
}

std::string Table::target_place(Index row) const {
  return fmt::format("{}, column {}", place(row), in_quotes(target_name));
}

Table select_rows(const Table& table, std::span<const Index> rows) {
  Table part;
  part.path = table.path;
  part.columns = table.columns;
  part.categories = table.categories;
  part.target_name = table.target_name;
  part.id_name = table.id_name;
  part.weight_name = table.weight_name;
  part.values.resize(std::ssize(rows), table.values.cols());
  part.weights.resize(table.weights.size() > 0 ? std::ssize(rows) : 0);
  for (Index k = 0; k < std::ssize(rows); ++k) {
    const Index row = rows[k];
    part.values.row(k) = table.values.row(row);
    if (table.has_target()) part.target.push_back(table.target[row]);
    if (!table.lines.empty()) part.lines.push_back(table.lines[row]);
    if (!table.ids.empty()) part.ids.push_back(table.ids[row]);
    if (table.weights.size() > 0) part.weights(k) = table.weights(row);
  }
  return part;
}

void check_complete(const Table& table, std::string_view advice) {
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
  throw InputError(fmt::format("{}: the cell is missing ({} in all); {}", table.place(first_row, first_column),
                               counted(missing, "cell"), advice));
}

std::vector<UnseenCategories> recode_categories(Table& table, const std::vector<std::vector<std::string>>& categories) {
  if (categories.size() != table.columns.size())
    throw InputError(fmt::format("{}: has {} columns, the training table has {}; give the same columns", table.path,
                                 table.columns.size(), categories.size()));
  std::vector<UnseenCategories> all;
  for (Index j = 0; j < std::ssize(categories); ++j) {
    const std::vector<std::string>& present = table.categories[j];
    if (present.empty() && categories[j].empty()) continue;
    const std::vector<Index> map = code_map(present, categories[j]);
    UnseenCategories unseen{j, 0, {}, 0};
    std::set<std::string> seen;
    auto column = table.values.col(j);
    for (Index i = 0; i < column.size(); ++i) {
      if (std::isnan(column(i))) continue;
      const auto code = static_cast<std::size_t>(column(i));
      const bool known = code < map.size() && map[code] >= 0;
      if (!known) {
        if (unseen.n_cells++ == 0) unseen.first_row = i;
        const std::string text = code < present.size() ? present[code] : fmt::format("{}", column(i));
        if (seen.insert(text).second) unseen.texts.push_back(text);
      }
      column(i) = static_cast<double>(known ? map[code] : std::ssize(categories[j]));
    }
    if (unseen.n_cells > 0) all.push_back(std::move(unseen));
    table.categories[j] = categories[j];
  }
  return all;
}

void refuse_unseen(const Table& table, const std::vector<UnseenCategories>& unseen, std::string_view advice) {
  if (unseen.empty()) return;
  const UnseenCategories& first = unseen.front();
  throw InputError(fmt::format("{}: {} is not among the {} categories of the training table; {}",
                               table.place(first.first_row, first.column), in_quotes(first.texts.front()),
                               table.categories[first.column].size(), advice));
}

void remove_column(Table& table, Index column) {
  const Index behind = table.values.cols() - column - 1;
  for (Index j = column; j < column + behind; ++j) table.values.col(j) = table.values.col(j + 1);
  table.values.conservativeResize(Eigen::NoChange, table.values.cols() - 1);
  table.columns.erase(table.columns.begin() + column);
  table.categories.erase(table.categories.begin() + column);
}

}  // namespace spicymkl
