// A table of numbers as it was read, with all that is needed to name a place in the file it came from.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/io/views.hpp"

namespace spicymkl {

/// One of several files that a table was put together from.
struct TableOrigin {
  std::string path;
  bool has_lines = false;
  std::vector<Index> rows;  ///< 1-based line, or row of a file without lines, of each row of the table; 0: it has none
};

struct Table {
  std::string path;
  std::vector<std::string> columns;  ///< names of the columns of `values`
  Matrix values;                     ///< rows × columns; NaN is a missing cell
  std::vector<std::vector<std::string>>
      categories;                         ///< per column the strings of codes 0…k−1; empty for a number column
  std::string target_name;                ///< empty when no target was asked for; of several, their names in short
  std::vector<std::string> target;        ///< the target's text, one per row; an empty string is a missing cell
  std::vector<std::string> target_names;  ///< of several targets, which are numbers; empty: there is at most one
  Matrix targets;                         ///< rows × several targets; NaN is a missing cell. `target` is then empty
  std::vector<Index> lines;  ///< 1-based line on which each row begins; empty for arrays, which have rows and no lines
  std::string id_name;       ///< empty when the rows have no identity
  std::vector<std::string> ids;      ///< one per row
  std::string weight_name;           ///< the column or file of the sample weights; empty: none
  Vector weights;                    ///< one per row, as read; empty: all 1
  std::string group_name;            ///< the column of the rows' groups; empty: none
  std::vector<std::string> groups;   ///< one per row: families or sites that stay together when rows are divided
  std::string event_name;            ///< of survival times, which are the target: the column of the events; empty: none
  std::vector<std::string> events;   ///< one per row, the text of the cell; an empty string is a missing cell
  std::vector<std::string> dropped;  ///< columns of the file that were left out on request
  std::string row_index;             ///< an unnamed first column that counts the rows, left out; empty: there is none
  Views views;                       ///< of several files; cells of a row that a source lacks are NaN
  std::vector<TableOrigin> origins;  ///< the file of each source; none: there is one file
  Index target_origin = 0;           ///< the one with the target
  std::vector<std::string> remarks;  ///< what became of samples that files lack, a sentence each

  Index rows() const { return values.rows(); }
  bool has_target() const { return !target_name.empty(); }
  bool has_several_targets() const { return !target_names.empty(); }

  /// "line 12", or "row 12".
  std::string row_text(Index row) const;
  /// "data.csv, line 12", or "data.npy, row 12" (the first row is 1); with an identity "data.csv, line 12 (id 'P7')".
  std::string place(Index row) const;
  /// The same with ", column 'age'".
  std::string place(Index row, Index column) const;
  /// The same with the target's column, or with that of one of several.
  std::string target_place(Index row) const;
  std::string target_place(Index row, Index target) const;
  /// The same with the column of the events.
  std::string event_place(Index row) const;

 private:
  std::string id_text(Index row) const;
  std::string place_in(Index origin, Index row) const;
};

/// The given rows, in that order. Categories stay those of the whole table: they are the code, not something learned.
Table select_rows(const Table& table, std::span<const Index> rows);

/// The given columns, in that order, of all rows.
Table select_columns(const Table& table, std::span<const Index> columns);

/// Cells of sources that lack the row are not missing: there is nothing that could be filled in.
bool is_missing_cell(const Table& table, Index row, Index column);

inline constexpr std::string_view kImputeAdvice = "fill it in, or have such cells imputed by --impute median";

/// Throws InputError with the number of missing cells and the first place (first row, then first column), if there is
/// one. `advice` ends the sentence.
void check_complete(const Table& table, std::string_view advice = kImputeAdvice, int threads = 1);

/// Strings of a categorical column that the training table did not have.
struct UnseenCategories {
  Index column = 0;
  Index n_cells = 0;
  std::vector<std::string> texts;  ///< each once, in order of appearance
  Index first_row = 0;
};

/// Rewrites the codes of the categorical columns so that they mean `categories` (those of the training table, column by
/// column). A text that `categories` does not have gets the code behind the last, which no training row has: it matches
/// nothing. Returns the columns with such strings.
std::vector<UnseenCategories> recode_categories(Table& table, const std::vector<std::vector<std::string>>& categories);

/// Throws InputError at the first of them, if there is one. `advice` ends the sentence.
void refuse_unseen(const Table& table, const std::vector<UnseenCategories>& unseen,
                   std::string_view advice = "correct it");

/// Takes a column out of the table.
void remove_column(Table& table, Index column);

}  // namespace spicymkl
