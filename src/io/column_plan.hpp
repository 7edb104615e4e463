// What is to be done with each column of a file.
#pragma once

#include <string>
#include <vector>

#include "cell.hpp"
#include "spicymkl/io/read_table.hpp"
#include "table_problems.hpp"

namespace spicymkl {

enum class ColumnRole { skip, number, category, target, several_targets, id, weight, group, event };

inline bool is_feature(ColumnRole role) { return role == ColumnRole::number || role == ColumnRole::category; }

struct ColumnPlan {
  std::vector<std::string> names;  ///< of all columns of the file
  std::vector<ColumnRole> role;
  std::vector<Index> slot;  ///< column of the table, for numbers and categories
  Index n_slots = 0;
  std::vector<Index> target_slot;  ///< of each column its place among several targets, or −1; empty: none has one
  Index n_targets = 0;             ///< of several

  Index n_columns() const { return std::ssize(role); }
};

/// A column takes some hundred bytes, its name and its place, and may take a single byte of a file, or none of a
/// compressed one: `n` beyond a few millions is an InputError that begins with `place`, before any of them is named.
void refuse_too_many_columns(const std::string& place, Index n);

/// Adds to `problems` every name that the file does not have and every column with two roles, and passes over them.
ColumnPlan plan_columns(const std::string& path, std::vector<std::string> names, const TableOptions& options,
                        std::vector<TableProblem>& problems);

/// The same, but throws TableProblems if there are any.
ColumnPlan plan_columns(const std::string& path, std::vector<std::string> names, const TableOptions& options);

/// A table with its columns named and its memory taken; the cells are not set.
Table prepare_table(const std::string& path, const ColumnPlan& plan, Index rows);

/// A target beside others that is neither a number nor missing is an InputError.
void refuse_text_target(const std::string& place, std::string_view text);

/// Sets a cell of column j: of a target, the identity, the groups, the events or the weights. Throws InputError,
/// beginning with what `place()` returns, for a weight or one of several targets that is not a number.
template <class Place>
void set_row(Table& table, const ColumnPlan& plan, Index j, Index row, std::string_view text, const Place& place) {
  const ColumnRole role = plan.role[j];
  if (role == ColumnRole::target && !is_missing(text)) table.target[row] = text;
  if (role == ColumnRole::several_targets) {
    if (!is_missing(text) && !parse_number(trimmed(text))) refuse_text_target(place(), text);
    table.targets(row, plan.target_slot[j]) = number_cell(trimmed(text), place);
  }
  if (role == ColumnRole::id) table.ids[row] = text;
  if (role == ColumnRole::group && !is_missing(text)) table.groups[row] = trimmed(text);
  if (role == ColumnRole::event && !is_missing(text)) table.events[row] = trimmed(text);
  if (role == ColumnRole::weight) table.weights(row) = number_cell(trimmed(text), place);
}

}  // namespace spicymkl
