#include "table_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>

#include "category_coder.hpp"
#include "cell.hpp"
#include "column_plan.hpp"
#include "core/guarded_parallel.hpp"
#include "spicymkl/core/error.hpp"
#include "text_parts.hpp"

namespace spicymkl {

namespace {

constexpr std::string_view kBlanks = " \t";

struct Entry {
  std::int32_t index;  ///< from 1
  double value;
};

/// The rows of one part, before the width of the table is known.
struct SparseRows {
  std::vector<std::string> labels;
  std::vector<Index> lines;
  std::vector<std::size_t> ends;  ///< end of each row's entries
  std::vector<Entry> entries;
  std::int32_t largest = 0;
  Index largest_line = 0;
};

std::string_view take_token(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view token = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(token.size());
  return token;
}

class RowParser {
 public:
  RowParser(const std::string& path, Index n_features, SparseRows& rows)
      : path_(path), n_features_(n_features), rows_(rows) {}

  void parse(std::string_view line, Index number) {
    line_ = number;
    line = line.substr(0, line.find('#'));
    const std::string_view label = take_token(line);
    if (label.empty()) return;
    if (label.find(':') != std::string_view::npos)
      refuse(fmt::format("begins with {}; put a label before the first index:value", in_quotes(label)));
    rows_.labels.emplace_back(is_missing(label) ? std::string_view() : label);
    rows_.lines.push_back(number);
    previous_ = 0;
    for (std::string_view token = take_token(line); !token.empty(); token = take_token(line)) parse_entry(token);
    rows_.ends.push_back(rows_.entries.size());
    if (previous_ <= rows_.largest) return;
    rows_.largest = previous_;
    rows_.largest_line = number;
  }

 private:
  void parse_entry(std::string_view token) {
    if (token.starts_with("qid:")) return;
    const std::size_t colon = token.find(':');
    std::int32_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + std::min(colon, token.size()), index);
    if (colon == std::string_view::npos || error != std::errc() || end != token.data() + colon)
      refuse(fmt::format("{} is not index:value; correct it", in_quotes(token)));
    check_index(index);
    const double value =
        number_cell(token.substr(colon + 1), [&] { return at_line(path_, line_, fmt::format("x{}", index)); });
    rows_.entries.push_back({index, value});
    previous_ = index;
  }

  void check_index(std::int32_t index) const {
    if (index < 1) refuse(fmt::format("index {} is less than 1; number the features from 1", index));
    if (index == previous_) refuse(fmt::format("index {} occurs twice; give each feature once", index));
    if (index < previous_)
      refuse(fmt::format("index {} comes after {}; sort the indices of the row", index, previous_));
    if (n_features_ > 0 && index > n_features_)
      refuse(fmt::format("index {} is larger than the number of features, {}; raise that number or remove the entry",
                         index, n_features_));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: {}", at_line(path_, line_), what));
  }

  const std::string& path_;
  Index n_features_;
  SparseRows& rows_;
  Index line_ = 0;
  std::int32_t previous_ = 0;
};

void parse_part(const TextPart& part, const std::string& path, Index n_features, SparseRows& rows) {
  RowParser parser(path, n_features, rows);
  Index line = part.first_line;
  for (std::string_view text = part.text; !text.empty(); ++line) parser.parse(take_line(text), line);
}

std::vector<SparseRows> parse_parts(std::vector<TextPart>& parts, const std::string& path, Index n_features,
                                    int threads) {
  const auto n = std::ssize(parts);
  std::vector<SparseRows> rows(parts.size());
  guarded_parallel(n, threads, [&](Index p) {
    TextPart& part = parts[p];
    part.n_lines = std::count(part.text.begin(), part.text.end(), '\n');
  });
  number_parts(parts, 1);
  guarded_parallel(n, threads, [&](Index p) {
    parse_part(parts[p], path, n_features, rows[p]);
    parts[p].n_rows = std::ssize(rows[p].labels);
  });
  number_parts(parts, 1);
  return rows;
}

/// An index costs a few bytes to write, and a column for every number up to it. Text data have some hundred cells per
/// byte; what is small may be anything.
void refuse_sparse(Index rows, Index features, std::size_t bytes, const SparseRows& widest, const std::string& path) {
  constexpr Index kSmallTable = Index{1} << 22;
  constexpr Index kCellsPerByte = 1000;
  constexpr Index kColumnCost = 32;  // cells that take as much memory as the name of a column
  if ((rows + kColumnCost) * features <= kSmallTable + kCellsPerByte * static_cast<Index>(bytes)) return;
  throw InputError(
      fmt::format("{}: index {} makes a table of {} rows and {} columns out of {} bytes; correct the index, or save "
                  "the table as .npz",
                  at_line(path, widest.largest_line), widest.largest, rows, features, bytes));
}

Index count_features(const std::vector<SparseRows>& parts, Index rows, std::size_t bytes, const std::string& path,
                     const TableOptions& options) {
  const auto widest = std::max_element(parts.begin(), parts.end(),
                                       [](const SparseRows& a, const SparseRows& b) { return a.largest < b.largest; });
  const Index features =
      options.n_features > 0 ? options.n_features : std::max<Index>(widest->largest, options.least_features);
  if (features > options.max_cells / std::max<Index>(rows, 1))
    throw InputError(
        fmt::format("{}: index {} makes a table of {} rows and {} columns, more than {} cells; correct the index, "
                    "or use fewer features or rows",
                    at_line(path, widest->largest_line), widest->largest, rows, features, options.max_cells));
  if (options.n_features == 0) refuse_sparse(rows, features, bytes, *widest, path);
  return features;
}

/// Position 0 is the label, position j feature j.
ColumnPlan plan_features(const std::string& path, Index features, TableOptions options) {
  std::vector<std::string> names{"target"};
  for (Index j = 1; j <= features; ++j) names.push_back(fmt::format("x{}", j));
  if (!options.targets.empty())
    throw InputError(fmt::format(
        "{}: a LIBSVM file has one target, its label, but {} are named; save several targets as .csv or .npz", path,
        options.targets.size()));
  if (options.target.empty()) options.target = "target";
  ColumnPlan plan = plan_columns(path, std::move(names), options);
  if (plan.role[0] != ColumnRole::target)
    throw InputError(fmt::format("{}: the target of a LIBSVM file is its label; do not name another column", path));
  return plan;
}

void fill_rows(const SparseRows& rows, const TextPart& part, const ColumnPlan& plan, Table& table) {
  table.values.middleRows(part.first_row, part.n_rows).setZero();
  std::size_t entry = 0;
  for (Index i = 0; i < std::ssize(rows.ends); ++i) {
    const Index row = part.first_row + i;
    table.target[row] = rows.labels[i];
    table.lines[row] = rows.lines[i];
    for (; entry < rows.ends[i]; ++entry) {
      const auto [column, value] = rows.entries[entry];
      if (plan.slot[column] >= 0) table.values(row, plan.slot[column]) = value;
      if (plan.role[column] == ColumnRole::weight) table.weights(row) = value;
      if (plan.role[column] == ColumnRole::id) table.ids[row] = fmt::format("{}", value);
      if (plan.role[column] == ColumnRole::group) table.groups[row] = fmt::format("{}", value);
      if (plan.role[column] == ColumnRole::event) table.events[row] = fmt::format("{}", value);
    }
  }
}

/// A LIBSVM file has numbers alone; a categorical column is coded by how they are written.
void code_numbers(Table& table, Index slot) {
  auto column = table.values.col(slot);
  std::set<double> present;
  for (const double value : column)
    if (!std::isnan(value)) present.insert(value);
  const std::vector<double> sorted(present.begin(), present.end());
  for (double& value : column)
    if (!std::isnan(value))
      value = static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
  for (const double value : sorted) table.categories[slot].push_back(fmt::format("{}", value));
}

}  // namespace

Table read_libsvm(std::string_view text, const std::string& path, const TableOptions& options) {
  const int threads = resolve_threads(options.threads);
  std::vector<TextPart> parts = cut_at_newlines(text, part_count(text.size(), threads));
  const std::vector<SparseRows> rows = parse_parts(parts, path, options.n_features, threads);
  if (total_rows(parts) == 0) throw InputError(fmt::format("{}: has no rows; give at least one", path));

  const Index features = count_features(rows, total_rows(parts), text.size(), path, options);
  const ColumnPlan plan = plan_features(path, features, options);
  Table table = prepare_table(path, plan, total_rows(parts));
  table.lines.resize(table.rows());
  table.weights.setZero();  // what a row leaves out is 0
  for (auto* names : {&table.ids, &table.groups, &table.events}) names->assign(names->size(), "0");
  guarded_parallel(std::ssize(parts), threads, [&](Index p) { fill_rows(rows[p], parts[p], plan, table); });
  for (std::size_t j = 1; j < plan.role.size(); ++j)
    if (plan.role[j] == ColumnRole::category) code_numbers(table, plan.slot[j]);
  return table;
}

}  // namespace spicymkl
