#include "table_readers.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "category_coder.hpp"
#include "cell.hpp"
#include "column_plan.hpp"
#include "core/guarded_parallel.hpp"
#include "delimited_layout.hpp"
#include "delimited_problems.hpp"
#include "plain_number.hpp"
#include "record.hpp"
#include "spicymkl/core/error.hpp"
#include "text_parts.hpp"

namespace spicymkl {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

bool contains_quote(std::string_view text, int threads) {
  std::atomic<bool> found = false;
  parallel_for(threads, threads, kWorthAThread, [&](Index begin, Index end) {
    const std::size_t from = text.size() / threads * begin;
    const std::size_t to = end == threads ? text.size() : text.size() / threads * end;
    if (text.substr(from, to - from).find('"') != std::string_view::npos) found = true;
  });
  return found;
}

/// Blank lines at the end are not rows of any table.
std::string_view without_trailing_lines(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \r\n");
  if (last == std::string_view::npos) return {};
  const std::size_t newline = text.find('\n', last);
  return text.substr(0, newline == std::string_view::npos ? text.size() : newline + 1);
}

bool is_number_cell(const std::string& text) { return is_missing(text) || parse_number(text).has_value(); }

bool all_different(const std::vector<std::string>& texts) {
  return std::unordered_set<std::string>(texts.begin(), texts.end()).size() == texts.size();
}

/// Text where the next row has a number.
bool is_above_numbers(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  for (std::size_t j = 0; j < std::min(first.size(), second.size()); ++j)
    if (!is_number_cell(first[j]) && !is_missing(second[j]) && is_number_cell(second[j])) return true;
  return false;
}

/// A row of different strings without any number may be a header as well.
bool is_all_text(const std::vector<std::string>& first) {
  const auto is_number = [](const std::string& text) { return !text.empty() && is_number_cell(text); };
  const bool some_text = std::any_of(first.begin(), first.end(), [](const std::string& text) { return !text.empty(); });
  return some_text && std::none_of(first.begin(), first.end(), is_number) && all_different(first);
}

std::vector<std::string> default_names(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < n; ++j) names.push_back(fmt::format("x{}", j));
  return names;
}

/// What a row index is called that pandas or R wrote.
bool is_unnamed(const std::string& name) { return name.empty() || name.starts_with("Unnamed: "); }

/// Empty names, as of a written row index, become x0, x1, … by position, or, where another column has that name,
/// unnamed_0, unnamed_1, …; equal ones are refused.
std::vector<std::string> header_names(std::vector<std::string> names, const std::string& path, Index line) {
  const std::unordered_set<std::string> given(names.begin(), names.end());
  std::unordered_set<std::string> seen;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j].empty())
      names[j] = given.contains(fmt::format("x{}", j)) ? fmt::format("unnamed_{}", j) : fmt::format("x{}", j);
    if (!seen.insert(names[j]).second)
      throw InputError(fmt::format("{}: two columns of the header are called {}; give every column its own name",
                                   at_line(path, line), in_quotes(names[j])));
  }
  return names;
}

/// The next record that is not blank; false at the end.
bool next_full(RecordReader& reader) {
  while (reader.next())
    if (!reader.blank()) return true;
  return false;
}

/// The cells of a row that shows how many columns there are.
std::vector<std::string> first_cells(const RecordReader& reader, char separator, const std::string& path) {
  refuse_too_many_columns(at_line(path, reader.line()), count_fields(reader.record(), separator));
  return split_record(reader.record(), separator);
}

Layout find_layout(std::string_view text, char separator, const std::string& path, const TableOptions& options,
                   int threads) {
  Layout layout{.path = path,
                .separator = separator,
                .has_quotes = contains_quote(text, threads),
                .has_header = false,
                .names = {},
                .body = text};
  RecordReader reader(text, 1, separator, layout.has_quotes, path);
  if (!next_full(reader)) throw InputError(fmt::format("{}: is empty; give a file with at least one row", path));
  const std::vector<std::string> first = first_cells(reader, separator, path);
  const Index line = reader.line();
  const std::string_view behind = reader.rest();
  const Index behind_line = reader.next_line();
  const bool more = next_full(reader);
  layout.has_header = options.header == Header::yes;
  if (options.header == Header::automatic) {
    const bool certain = more && is_above_numbers(first, first_cells(reader, separator, path));
    layout.header_is_a_guess = !certain && is_all_text(first);
    layout.has_header = certain || layout.header_is_a_guess;
  }
  layout.names = layout.has_header ? header_names(first, path, line) : default_names(first.size());
  if (!layout.has_header) return layout;
  layout.n_unnamed = std::find_if_not(first.begin(), first.end(), is_unnamed) - first.begin();
  if (!more) throw InputError(fmt::format("{}: has a header on line {} and no rows; add rows", path, line));
  layout.body = behind;
  layout.body_line = behind_line;
  return layout;
}

bool is_row(const Layout& layout, const RecordReader& reader) { return !layout.skips_blank_lines() || !reader.blank(); }

void count_part(TextPart& part, const Layout& layout) {
  RecordReader reader(part.text, 1, layout.separator, false, layout.path);
  while (reader.next()) part.n_rows += is_row(layout, reader);
  part.n_lines = reader.next_line() - 1;
}

/// A newline inside quotes ends no record, so the records themselves are walked, in one thread.
std::vector<TextPart> cut_quoted(const Layout& layout, Index parts) {
  std::vector<TextPart> cut;
  RecordReader reader(layout.body, layout.body_line, layout.separator, true, layout.path);
  const std::size_t size = layout.body.size() / parts + 1;
  const char* begin = layout.body.data();
  Index begin_line = layout.body_line;
  Index rows = 0;
  while (reader.next()) {
    rows += is_row(layout, reader);
    const std::size_t length = reader.rest().data() - begin;
    if (length < size && !reader.rest().empty()) continue;
    cut.push_back({.text = {begin, length}, .n_lines = reader.next_line() - begin_line, .n_rows = rows});
    begin += length;
    begin_line = reader.next_line();
    rows = 0;
  }
  return cut;
}

std::vector<TextPart> cut_rows(const Layout& layout, int threads) {
  const Index wanted = part_count(layout.body.size(), threads);
  std::vector<TextPart> parts;
  if (layout.has_quotes) {
    parts = cut_quoted(layout, wanted);
  } else {
    parts = cut_at_newlines(layout.body, wanted);
    guarded_parallel(std::ssize(parts), threads, [&](Index part) { count_part(parts[part], layout); });
  }
  number_parts(parts, layout.body_line);
  return parts;
}

/// Reads the rows of one part into the table.
class PartReader {
 public:
  PartReader(const TextPart& part, const Layout& layout, const ColumnPlan& plan, Table& table)
      : part_(part),
        layout_(layout),
        plan_(plan),
        table_(table),
        block_(block_rows(plan.n_slots), plan.n_slots),
        coders_(plan.n_slots) {}

  void read() {
    RecordReader reader(part_.text, part_.first_line, layout_.separator, layout_.has_quotes, layout_.path);
    row_ = part_.first_row;
    while (reader.next()) {
      if (!is_row(layout_, reader)) continue;
      line_ = reader.line();
      table_.lines[row_] = line_;
      read_row(reader.record());
      ++row_;
      if (++filled_ == block_.rows()) flush();
    }
    flush();
  }

  const std::vector<std::string>& texts(Index slot) const { return coders_[slot].texts(); }

 private:
  // The table is column-major: rows are gathered in a block and written together, so that every write fills a cache
  // line; the block stays within the second-level cache.
  static Index block_rows(Index columns) { return std::clamp<Index>(32768 / std::max<Index>(columns, 1), 8, 64); }

  void flush() {
    table_.values.middleRows(row_ - filled_, filled_) = block_.topRows(filled_);
    filled_ = 0;
  }

  void read_row(std::string_view record) {
    try {
      read_cells(record);
    } catch (const InputError&) {
      if (count_fields(record, layout_.separator) != plan_.n_columns()) refuse_ragged(record);  // which explains it
      throw;
    }
  }

  void read_cells(std::string_view record) {
    FieldCursor fields(record, layout_.separator);
    const Index n = plan_.n_columns();
    double* cells = block_.data() + filled_ * plan_.n_slots;
    for (Index j = 0; j < n; ++j) {
      if (fields.done()) refuse_ragged(record);
      if (plan_.role[j] == ColumnRole::number && read_whole_cell(fields, cells[slot(j)])) continue;
      read_cell(fields.next(), j, cells);
    }
    if (!fields.done()) refuse_ragged(record);
  }

  /// The common case in one pass: a finite number that reaches to the separator.
  bool read_whole_cell(FieldCursor& fields, double& cell) const {
    const char* end = read_plain_number(fields.position(), fields.end(), cell);
    if (end == nullptr) {
      const auto read = fast_float::from_chars(fields.position(), fields.end(), cell);
      if (read.ec != std::errc() || !std::isfinite(cell)) return false;
      end = read.ptr;
    }
    if (end != fields.end() && *end != layout_.separator) return false;
    fields.skip_to(end);
    return true;
  }

  void read_cell(const Field& field, Index j, double* cells) {
    const ColumnRole role = plan_.role[j];
    if (role == ColumnRole::skip) return;
    const std::string_view text = field.text(scratch_);
    const auto place = [&] { return place_of(j); };
    if (!is_feature(role)) return set_row(table_, plan_, j, row_, text, place);
    if (role == ColumnRole::number) refuse_header(trimmed(text), j);
    cells[slot(j)] = role == ColumnRole::number ? number_cell(trimmed(text), place) : coders_[slot(j)].cell(text);
  }

  Index slot(Index j) const { return plan_.slot[j]; }

  std::string place_of(Index j) const { return at_line(layout_.path, line_, plan_.names[j]); }

  void refuse_header(std::string_view text, Index j) const {
    if (row_ > 0 || layout_.has_header || is_missing(text) || parse_number(text)) return;
    throw InputError(
        fmt::format("{}: {} is not a number; if this line holds the names of the columns, say so by --header yes",
                    place_of(j), in_quotes(text)));
  }

  [[noreturn]] void refuse_ragged(std::string_view record) const {
    throw InputError(fmt::format("{}: the row has {} cells and the {} has {}; give every row the same number of cells",
                                 at_line(layout_.path, line_), count_fields(record, layout_.separator),
                                 layout_.has_header ? "header" : "first row", plan_.n_columns()));
  }

  const TextPart& part_;
  const Layout& layout_;
  const ColumnPlan& plan_;
  Table& table_;
  RowMajor block_;
  std::vector<CategoryCoder> coders_;
  std::string scratch_;
  Index row_ = 0;
  Index line_ = 0;
  Index filled_ = 0;
};

/// From each part's codes, in order of appearance, to the table's, in sorted order.
void unify_codes(Table& table, Index slot, const std::vector<TextPart>& parts, const std::vector<PartReader>& readers) {
  std::vector<std::string> all;
  for (const PartReader& reader : readers) all.insert(all.end(), reader.texts(slot).begin(), reader.texts(slot).end());
  const std::vector<std::string> sorted = sorted_texts(std::move(all));
  for (std::size_t part = 0; part < parts.size(); ++part) {
    recode(table.values.col(slot).segment(parts[part].first_row, parts[part].n_rows), readers[part].texts(slot),
           sorted);
  }
  table.categories[slot] = sorted;
}

ColumnPlan plan_named_columns(const Layout& layout, const TableOptions& options, std::vector<TableProblem>& problems) {
  ColumnPlan plan = plan_columns(layout.path, layout.names, options, problems);
  if (layout.header_is_a_guess && !problems.empty())
    problems.front().text += " (the first line was taken for names; if it is data, say so by --header no)";
  return plan;
}

/// Whole numbers, each once: in order, or shuffled or thinned out by whoever chose the rows.
bool numbers_rows(ConstVectorRef column) {
  std::vector<double> values(column.begin(), column.end());
  std::sort(values.begin(), values.end());
  const bool once = std::adjacent_find(values.begin(), values.end()) == values.end();
  return once && std::all_of(values.begin(), values.end(), [](double v) { return v >= 0 && v == std::floor(v); });
}

/// Row numbers that were written with the table would be learned from. Whoever means them gives the column a name.
void leave_out_row_index(Table& table, const Layout& layout, const ColumnPlan& plan) {
  for (Index j = 0; j < layout.n_unnamed; ++j) {
    if (plan.role[j] != ColumnRole::number || table.columns.front() != plan.names[j]) return;
    if (table.columns.size() == 1 || table.rows() < 2 || !numbers_rows(table.values.col(0))) return;
    table.row_index = plan.names[j];
    remove_column(table, 0);
  }
}

void read_parts(std::vector<PartReader>& readers, int threads) {
  guarded_parallel(std::ssize(readers), threads, [&](Index part) { readers[part].read(); });
}

}  // namespace

Table read_delimited(std::string_view text, char separator, const std::string& path, const TableOptions& options) {
  const int threads = resolve_threads(options.threads);
  const Layout layout = find_layout(without_trailing_lines(text), separator, path, options, threads);
  std::vector<TableProblem> problems;
  const ColumnPlan plan = plan_named_columns(layout, options, problems);
  if (!problems.empty()) refuse_all(layout, plan, options, std::move(problems));
  const std::vector<TextPart> parts = cut_rows(layout, threads);
  Table table = prepare_table(path, plan, total_rows(parts));
  table.lines.resize(table.rows());

  std::vector<PartReader> readers;
  readers.reserve(parts.size());
  for (const TextPart& part : parts) readers.emplace_back(part, layout, plan, table);
  try {
    read_parts(readers, threads);
  } catch (const InputError&) {
    refuse_all(layout, plan, options, {});  // unless there is but one problem
    throw;
  }
  for (std::size_t j = 0; j < plan.role.size(); ++j)
    if (plan.role[j] == ColumnRole::category) unify_codes(table, plan.slot[j], parts, readers);
  if (options.keep.empty()) leave_out_row_index(table, layout, plan);
  return table;
}

}  // namespace spicymkl
