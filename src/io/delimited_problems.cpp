#include "delimited_problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "cell.hpp"
#include "core/wording.hpp"
#include "record.hpp"

namespace spicymkl {

namespace {

constexpr Index kMostRows = 200000;  // of a file that takes long to read; what lies behind is found at the next try

/// Cells of one kind in one column.
struct Cells {
  Index count = 0;
  Index line = 0;    ///< of the first
  std::string text;  ///< of the first

  void add(Index at, std::string_view cell) {
    if (count++ > 0) return;
    line = at;
    text = cell;
  }
};

struct ColumnCells {
  Cells texts, infinite, missing;
  Index numbers = 0;
  bool decimal_commas = true;  ///< all strings are numbers but for that
  std::unordered_set<std::string> different;
};

bool has_decimal_comma(std::string_view text) {
  std::string with_point(text);
  std::replace(with_point.begin(), with_point.end(), ',', '.');
  return with_point != text && parse_number(with_point);
}

class Diagnosis {
 public:
  Diagnosis(const Layout& layout, const ColumnPlan& plan, const TableOptions& options)
      : layout_(layout), plan_(plan), options_(options), columns_(plan.role.size()) {}

  void read() {
    RecordReader reader(layout_.body, layout_.body_line, layout_.separator, layout_.has_quotes, layout_.path);
    while (rows_ < kMostRows && reader.next()) {
      if (layout_.skips_blank_lines() && reader.blank()) continue;
      ++rows_;
      line_ = reader.line();
      if (count_fields(reader.record(), layout_.separator) != plan_.n_columns())
        ragged_.add(line_, fmt::format("{}", count_fields(reader.record(), layout_.separator)));
      else read_row(reader.record());
    }
  }

  void append_to(std::vector<TableProblem>& problems) {
    if (ragged_.count > 0)
      problems.push_back(
          {fmt::format("{}: {} of {} rows {} another number of cells than the {}, here {} and not {}; "
                       "give every row the same number of cells",
                       at_line(layout_.path, ragged_.line), ragged_.count, rows_, ragged_.count == 1 ? "has" : "have",
                       layout_.has_header ? "header" : "first row", ragged_.text, plan_.n_columns())});
    for (std::size_t j = 0; j < columns_.size(); ++j) append_column(j, problems);
    append_missing(problems);
  }

 private:
  void read_row(std::string_view record) {
    FieldCursor fields(record, layout_.separator);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Field field = fields.next();
      if (plan_.role[j] != ColumnRole::skip) read_cell(trimmed(field.text(scratch_)), j);
    }
  }

  void read_cell(std::string_view text, std::size_t j) {
    ColumnCells& column = columns_[j];
    const ColumnRole role = plan_.role[j];
    if (is_missing(text)) return column.missing.add(line_, text);
    if (role != ColumnRole::number && role != ColumnRole::weight && role != ColumnRole::several_targets) return;
    const std::optional<double> number = parse_number(text);
    if (number && std::isinf(*number)) return column.infinite.add(line_, text);
    if (number) {
      ++column.numbers;
      return;
    }
    column.texts.add(line_, text);
    column.decimal_commas = column.decimal_commas && has_decimal_comma(text);
    column.different.emplace(text);
  }

  std::string place(const Cells& cells, std::size_t j) const {
    return at_line(layout_.path, cells.line, plan_.names[j]);
  }

  /// What an option calls the column: its name, or its position if nobody would type that.
  std::string reference(std::size_t j) const {
    constexpr std::size_t kLongestName = 40;
    return plan_.names[j].size() <= kLongestName ? plan_.names[j] : fmt::format("{}", j);
  }

  void append_column(std::size_t j, std::vector<TableProblem>& problems) {
    const ColumnCells& column = columns_[j];
    const std::string name = reference(j);
    if (column.texts.count > 0) problems.push_back(text_problem(j));
    if (column.infinite.count > 0)
      problems.push_back(
          {fmt::format("{}: {} is not a finite number ({} in all); correct it or leave the cell empty",
                       place(column.infinite, j), in_quotes(column.infinite.text), cells_text(column.infinite.count)),
           "--drop", name});
    const bool is_target = plan_.role[j] == ColumnRole::target || plan_.role[j] == ColumnRole::several_targets;
    if (is_target && column.missing.count > 0)
      problems.push_back({fmt::format("{}: the target is missing ({} in all); fill it in or remove the row",
                                      place(column.missing, j), cells_text(column.missing.count))});
  }

  static std::string cells_text(Index count) { return counted(count, "cell"); }

  /// Mostly numbers: mistakes in some cells. Else categories, or, if hardly any text occurs twice, something to drop.
  TableProblem text_problem(std::size_t j) {
    const ColumnCells& column = columns_[j];
    const std::string name = reference(j);
    const std::string what = fmt::format("{}: {}", place(column.texts, j), in_quotes(column.texts.text));
    if (column.decimal_commas)
      return {fmt::format("{} has a decimal comma ({} in all); write numbers with a point", what,
                          cells_text(column.texts.count))};
    if (plan_.role[j] == ColumnRole::several_targets)
      return {
          fmt::format("{} is not a number ({} in all), but several targets are; correct it, or leave {} out of "
                      "--target: classes are learned one target at a time",
                      what, cells_text(column.texts.count), in_quotes(plan_.names[j]))};
    if (plan_.role[j] == ColumnRole::weight)
      return {
          fmt::format("{} is not a number, but weights are; correct it, or name another column by --weights", what)};
    if (column.numbers > column.texts.count)
      return {fmt::format("{} is not a number ({} in all); correct it, or --drop {}", what,
                          cells_text(column.texts.count), name),
              "--drop", name};
    const auto different = std::ssize(column.different);
    if (different == column.texts.count && different > 2) {
      const bool id = options_.id.empty() && !names_id_;
      names_id_ = true;
      return {fmt::format("{} and {} other strings, each in one row: --id {} if they name the rows, else --drop {}",
                          what, different - 1, name, name),
              id ? "--id" : "--drop", name};
    }
    return {fmt::format("{} is not a number; the column has {} different strings: --categorical {}, or --drop {}", what,
                        different, name, name),
            2 * different > column.texts.count ? "--drop" : "--categorical", name};
  }

  void append_missing(std::vector<TableProblem>& problems) const {
    if (!options_.complete) return;
    Index cells = 0, columns = 0;
    std::size_t first = columns_.size();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const Cells& missing = columns_[j].missing;
      if (plan_.slot[j] < 0 || missing.count == 0) continue;
      cells += missing.count;
      ++columns;
      if (first == columns_.size() || missing.line < columns_[first].missing.line) first = j;
    }
    if (cells == 0) return;
    problems.push_back(
        {fmt::format("{}: the cell is missing ({} in {}); fill them in, or --impute median",
                     place(columns_[first].missing, first), cells_text(cells), counted(columns, "column")),
         "--impute", "median"});
  }

  const Layout& layout_;
  const ColumnPlan& plan_;
  const TableOptions& options_;
  std::vector<ColumnCells> columns_;
  Cells ragged_;
  std::string scratch_;
  Index rows_ = 0;
  Index line_ = 0;
  bool names_id_ = false;  ///< a column is proposed as the identity
};

/// A first row of names that was taken for data would make every column a problem.
bool lacks_header(const Layout& layout, const ColumnPlan& plan) {
  if (layout.has_header) return false;
  RecordReader reader(layout.body, layout.body_line, layout.separator, layout.has_quotes, layout.path);
  if (!reader.next()) return false;
  const std::vector<std::string> first = split_record(reader.record(), layout.separator);
  for (std::size_t j = 0; j < std::min(first.size(), plan.role.size()); ++j)
    if (plan.role[j] == ColumnRole::number && !is_missing(first[j]) && !parse_number(first[j])) return true;
  return false;
}

/// The column that was meant is still among those to learn from, and what it holds would be reported as a problem.
bool lacks_role(const std::vector<TableProblem>& problems) {
  return std::any_of(problems.begin(), problems.end(), [](const TableProblem& problem) {
    return problem.option == "--target" || problem.option == "--id" || problem.option == "--weights";
  });
}

/// A column of strings: what it may be takes all of its cells to say.
bool is_of_a_whole_column(const TableProblem& problem) {
  return problem.option == "--categorical" || problem.option == "--id";
}

}  // namespace

void refuse_all(const Layout& layout, const ColumnPlan& plan, const TableOptions& options,
                std::vector<TableProblem> known) {
  const bool only_known =
      lacks_role(known) || (!known.empty() && (lacks_header(layout, plan) || layout.header_is_a_guess));
  if (known.empty() && lacks_header(layout, plan)) return;
  std::vector<TableProblem> problems = std::move(known);
  const std::size_t n_known = problems.size();
  if (!only_known) try {
      Diagnosis diagnosis(layout, plan, options);
      diagnosis.read();
      diagnosis.append_to(problems);
    } catch (const InputError&) {
      if (n_known == 0) return;  // quotes: nothing behind them can be read
    }
  if (problems.size() > 1 || n_known > 0 || (!problems.empty() && is_of_a_whole_column(problems.front())))
    throw TableProblems(layout.path, std::move(problems));
}

}  // namespace spicymkl
