#include "table_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "array_cells.hpp"
#include "category_coder.hpp"
#include "cell.hpp"
#include "column_plan.hpp"
#include "core/guarded_parallel.hpp"
#include "npz.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

struct ArrayColumn {
  std::string name;
  const ArrayCells* array;
  Index column;
};

void append_columns(std::vector<ArrayColumn>& columns, const ArrayCells& array, const std::string& prefix,
                    const std::string& path) {
  refuse_too_many_columns(path, std::ssize(columns) + array.columns());
  for (Index j = 0; j < array.columns(); ++j) columns.push_back({fmt::format("{}{}", prefix, j), &array, j});
}

std::string cell_place(const Table& table, Index row, const std::string& name) {
  return fmt::format("{}, column {}", table.place(row), in_quotes(name));
}

void refuse_infinities(const Table& table, const std::string& name, Index slot, Index begin, Index size) {
  for (Index i = begin; i < begin + size; ++i)
    if (const double value = table.values(i, slot); std::isinf(value))
      refuse_infinite(cell_place(table, i, name), fmt::format("{}", value));
}

void fill_numbers(Table& table, const ArrayColumn& column, Index slot, Index begin, Index size) {
  if (!column.array->is_text()) {
    column.array->copy_numbers(column.column, begin, size, table.values.col(slot).data() + begin);
    return refuse_infinities(table, column.name, slot, begin, size);
  }
  for (Index i = begin; i < begin + size; ++i)
    table.values(i, slot) =
        number_cell(trimmed(column.array->text(i, column.column)), [&] { return cell_place(table, i, column.name); });
}

void fill_category(Table& table, const ArrayColumn& column, Index slot) {
  CategoryCoder coder;
  auto codes = table.values.col(slot);
  for (Index i = 0; i < table.rows(); ++i) codes(i) = coder.cell(column.array->text(i, column.column));
  const std::vector<std::string> sorted = sorted_texts(coder.texts());
  recode(codes, coder.texts(), sorted);
  table.categories[slot] = sorted;
}

void fill_rows(Table& table, const std::vector<ArrayColumn>& columns, const ColumnPlan& plan, Index begin, Index size) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ArrayColumn& column = columns[j];
    if (plan.role[j] == ColumnRole::number) fill_numbers(table, column, plan.slot[j], begin, size);
    if (is_feature(plan.role[j]) || plan.role[j] == ColumnRole::skip) continue;
    for (Index i = begin; i < begin + size; ++i)
      set_row(table, plan, static_cast<Index>(j), i, column.array->text(i, column.column),
              [&] { return cell_place(table, i, column.name); });
  }
}

Table read_columns(const std::vector<ArrayColumn>& columns, Index rows, const std::string& path,
                   const TableOptions& options) {
  std::vector<std::string> names;
  for (const ArrayColumn& column : columns) names.push_back(column.name);
  const ColumnPlan plan = plan_columns(path, std::move(names), options);
  Table table = prepare_table(path, plan, rows);
  // Blocks of rows, so that a row-major array is read and a column-major table written in whole cache lines.
  constexpr Index block = 64;
  const Index blocks = (rows + block - 1) / block;
  guarded_parallel(blocks, resolve_threads(options.threads),
                   [&](Index k) { fill_rows(table, columns, plan, k * block, std::min(block, rows - k * block)); });
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (plan.role[j] == ColumnRole::category) fill_category(table, columns[j], plan.slot[j]);
  return table;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The arrays of an archive that are not dropped whole; their names leave `options.drop`. The targets among them are
/// named by their columns.
class ArchiveColumns {
 public:
  ArchiveColumns(const NpzArchive& archive, const std::string& path, TableOptions& options) {
    std::string first;
    for (const std::string& name : archive.names()) {
      if (contains(options.drop, name)) {
        std::erase(options.drop, name);
        continue;
      }
      const ArrayCells& array = load(archive, path, name);
      if (first.empty()) first = name;
      if (rows >= 0 && array.rows() != rows)
        throw InputError(
            fmt::format("{}: array {} has {} rows and array {} has {}; give arrays of the same length, or drop one",
                        path, in_quotes(name), array.rows(), in_quotes(first), rows));
      rows = array.rows();
      if (array.is_vector()) {
        columns.push_back({name, &array, 0});
      } else {
        name_targets(options, name, array.columns());
        append_columns(columns, array, name, path);
      }
    }
    refuse_doubles(path);
  }

  std::vector<ArrayColumn> columns;
  Index rows = -1;

 private:
  /// A target that is a matrix is all of its columns.
  static void name_targets(TableOptions& options, const std::string& name, Index n_columns) {
    if (options.target == name && options.targets.empty()) {
      options.targets = {name};
      options.target.clear();
    }
    const auto place = std::find(options.targets.begin(), options.targets.end(), name);
    if (place == options.targets.end()) return;
    std::vector<std::string> columns;
    for (Index j = 0; j < n_columns; ++j) columns.push_back(fmt::format("{}{}", name, j));
    const auto at = options.targets.erase(place);
    options.targets.insert(at, columns.begin(), columns.end());
    if (options.targets.size() == 1) {
      options.target = options.targets.front();
      options.targets.clear();
    }
  }

  const ArrayCells& load(const NpzArchive& archive, const std::string& path, const std::string& name) {
    std::string& inflated = inflated_.emplace_back();
    return arrays_.emplace_back(archive.read(name, inflated), fmt::format("{}, array {}", path, in_quotes(name)));
  }

  /// Matrix "x" and vector "x0" would both give a column x0.
  void refuse_doubles(const std::string& path) const {
    std::vector<std::string> names;
    for (const ArrayColumn& column : columns) names.push_back(column.name);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end())
      throw InputError(fmt::format("{}: two columns are called {}; rename an array", path, in_quotes(*twice)));
  }

  std::list<std::string> inflated_;  // a list: the arrays look into these strings
  std::list<ArrayCells> arrays_;
};

}  // namespace

Table read_npy_table(std::string_view bytes, const std::string& path, const TableOptions& options) {
  const ArrayCells array(bytes, path);
  std::vector<ArrayColumn> columns;
  append_columns(columns, array, "x", path);
  return read_columns(columns, array.rows(), path, options);
}

Table read_npz_table(std::string_view bytes, const std::string& path, const TableOptions& options) {
  TableOptions rest = options;
  const NpzArchive archive(bytes, path);
  const ArchiveColumns arrays(archive, path, rest);
  if (arrays.columns.empty())
    throw InputError(fmt::format("{}: has no array to read; save the samples with numpy.savez", path));
  return read_columns(arrays.columns, arrays.rows, path, rest);
}

}  // namespace spicymkl
