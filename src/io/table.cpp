#include "spicymkl/io/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "cell.hpp"
#include "core/row_sums.hpp"
#include "core/wording.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

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

/// Whether a cell is NaN, missing or not.
bool has_nan(const Matrix& values, int threads) {
  std::atomic<bool> found = false;
  const double cost = kFromMemory * static_cast<double>(values.rows());
  parallel_for(values.cols(), threads, cost, [&](Index begin, Index end) {
    for (Index j = begin; j < end && !found; ++j)
      if (values.col(j).array().isNaN().any()) found = true;
  });
  return found;
}

}  // namespace

std::string Table::id_text(Index row) const {
  return ids.empty() || ids[row].empty() ? "" : fmt::format(" ({} {})", id_name, in_quotes(ids[row]));
}

std::string Table::row_text(Index row) const {
  return lines.empty() ? fmt::format("row {}", row + 1) : fmt::format("line {}", lines[row]);
}

std::string Table::place_in(Index origin, Index row) const {
  if (origins.empty()) return place(row);
  const TableOrigin& file = origins[origin];
  return fmt::format("{}, {} {}{}", file.path, file.has_lines ? "line" : "row", file.rows[row], id_text(row));
}

std::string Table::place(Index row) const {
  if (!origins.empty()) return path + id_text(row);
  return fmt::format("{}, {}{}", path, row_text(row), id_text(row));
}

std::string Table::place(Index row, Index column) const {
  if (origins.empty()) return fmt::format("{}, column {}", place(row), in_quotes(columns[column]));
  const Index source = views.of_column[column];
  const std::string own_name = columns[column].substr(views.names[source].size() + 1);
  return fmt::format("{}, column {}", place_in(source, row), in_quotes(own_name));
}

std::string Table::target_place(Index row) const {
  return fmt::format("{}, column {}", place_in(target_origin, row), in_quotes(target_name));
}

std::string Table::target_place(Index row, Index which) const {
  return fmt::format("{}, column {}", place_in(target_origin, row), in_quotes(target_names[which]));
}

std::string Table::event_place(Index row) const {
  return fmt::format("{}, column {}", place(row), in_quotes(event_name));
}

Table select_columns(const Table& table, std::span<const Index> columns) {
  Table part;
  part.path = table.path;
  part.target_name = table.target_name;
  part.target = table.target;
  part.target_names = table.target_names;
  part.targets = table.targets;
  part.event_name = table.event_name;
  part.events = table.events;
  part.lines = table.lines;
  part.id_name = table.id_name;
  part.ids = table.ids;
  part.views = table.views.columns(columns);
  part.origins = table.origins;
  part.target_origin = table.target_origin;
  part.values.resize(table.rows(), std::ssize(columns));
  for (Index k = 0; k < std::ssize(columns); ++k) {
    part.columns.push_back(table.columns[columns[k]]);
    part.categories.push_back(table.categories[columns[k]]);
    part.values.col(k) = table.values.col(columns[k]);
  }
  return part;
}

Table select_rows(const Table& table, std::span<const Index> rows) {
  Table part;
  part.path = table.path;
  part.columns = table.columns;
  part.categories = table.categories;
  part.target_name = table.target_name;
  part.target_names = table.target_names;
  if (table.has_several_targets())
    part.targets = table.targets(std::vector<Index>(rows.begin(), rows.end()), Eigen::all);
  part.id_name = table.id_name;
  part.weight_name = table.weight_name;
  part.views = table.views.rows(rows);
  part.target_origin = table.target_origin;
  for (const TableOrigin& origin : table.origins) {
    part.origins.push_back({origin.path, origin.has_lines, {}});
    for (const Index row : rows) part.origins.back().rows.push_back(origin.rows[row]);
  }
  part.group_name = table.group_name;
  part.event_name = table.event_name;
  part.values.resize(std::ssize(rows), table.values.cols());
  part.weights.resize(table.weights.size() > 0 ? std::ssize(rows) : 0);
  for (Index k = 0; k < std::ssize(rows); ++k) {
    const Index row = rows[k];
    part.values.row(k) = table.values.row(row);
    if (!table.target.empty()) part.target.push_back(table.target[row]);
    if (!table.lines.empty()) part.lines.push_back(table.lines[row]);
    if (!table.ids.empty()) part.ids.push_back(table.ids[row]);
    if (!table.groups.empty()) part.groups.push_back(table.groups[row]);
    if (!table.events.empty()) part.events.push_back(table.events[row]);
    if (table.weights.size() > 0) part.weights(k) = table.weights(row);
  }
  return part;
}

bool is_missing_cell(const Table& table, Index row, Index column) {
  return std::isnan(table.values(row, column)) && table.views.has(row, column);
}

void check_complete(const Table& table, std::string_view advice, int threads) {
  if (!has_nan(table.values, threads)) return;
  Index missing = 0;
  Index first_row = table.rows();
  Index first_column = 0;
  for (Index j = 0; j < table.values.cols(); ++j) {
    if (!table.values.col(j).array().isNaN().any()) continue;
    Index count = 0, row = 0;
    for (Index i = table.rows() - 1; i >= 0; --i) {
      if (!is_missing_cell(table, i, j)) continue;
      ++count;
      row = i;
    }
    missing += count;
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
