// From a file to a Table: CSV, TSV, LIBSVM/SVMlight, NPY, NPZ, each also gzip-compressed. A CSV file whose first line
// has no comma is separated by semicolons or tabs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/io/table.hpp"

namespace spicymkl {

enum class TableFormat { csv, tsv, libsvm, npy, npz };

/// "csv", "tsv", "libsvm" or "svmlight", "npy", "npz"; throws InputError for anything else.
TableFormat parse_table_format(std::string_view name);

/// By extension (.csv .tsv .tab .libsvm .svmlight .svm .npy .npz, each with or without .gz); throws InputError.
TableFormat table_format_of(const std::string& path);

enum class Header { automatic, yes, no };

/// A column is named by its header, or by its position in the file: 0 is the first, −1 the last. A name wins over a
/// position. Without a header the columns are called x0, x1, …; a LIBSVM file has its label at position 0 (called
/// "target") and feature j at position j (called xj); array A of an NPZ file gives column A, or A0, A1, … if it is a
/// matrix.
struct TableOptions {
  std::optional<TableFormat> format;  ///< none: by extension
  Header header = Header::automatic;  ///< CSV and TSV
  /// Empty: none (a LIBSVM file always has one). A matrix of an NPZ file that is named here is several targets.
  std::string target;
  std::vector<std::string> targets;  ///< columns of numbers to be learned together, in place of `target`
  std::string id;                    ///< column of the rows' identity, never learned from; empty: none
  bool id_is_optional = false;       ///< pass over `id` where the file has no column of that name
  std::string weights;               ///< column of sample weights, never learned from; passed over where there is none
  std::string group;                 ///< column of the rows' groups, never learned from; empty: none
  std::string event;                 ///< column that says whether the target, a time, is that of an event; empty: none
  std::vector<std::string> keep;     ///< read these columns alone, in this order; empty: all
  std::vector<std::string> drop;     ///< do not read these; an NPZ array may be dropped by its name
  std::vector<std::string> categorical;  ///< columns of strings, coded 0, 1, … in sorted order
  /// One of several tables: columns that it lacks, but for the identity, are in another, and it need not have any to
  /// learn from; they are given by name.
  bool part_of_several = false;
  bool no_columns = false;           ///< read no column to learn from
  bool complete = false;             ///< missing cells will be refused: they are among the problems that are reported
  Index n_features = 0;              ///< LIBSVM: columns of the table; 0: the largest index of the file
  Index least_features = 0;          ///< LIBSVM, when n_features is 0: the table has at least these
  Index max_cells = Index{1} << 31;  ///< LIBSVM: refuse a file whose table would be larger (its bytes do not bound it)
  int threads = 0;                   ///< 0: all cores
};

/// Throws InputError with one sentence that names file, line and column for anything that is not a clean table of
/// finite numbers; TableProblems where there is more than one problem. A leading column of a CSV file that has no name,
/// or pandas' name for that, and that counts the rows is a row index: it is left out. Cells that are empty or NA, N/A,
/// NaN, nan, ?, null, NULL are missing: NaN in a column, an empty string in the target. The answer does not depend on
/// the number of threads.
Table read_table(const std::string& path, const TableOptions& options = {});

}  // namespace spicymkl
