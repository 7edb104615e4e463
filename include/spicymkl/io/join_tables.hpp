// Several tables of the same samples as one: rows are matched by their identity, whatever their order.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl {

struct SourceFile {
  std::string name;  ///< of the source
  std::string path;
};

/// NAME=FILE, or FILE, whose source is called like the file without its extension. A file that is called NAME=FILE is
/// taken as it is. Names that occur twice are an InputError.
std::vector<SourceFile> parse_sources(const std::vector<std::string>& texts);

/// "rna:x1": what column x1 of the source rna is called beside those of others.
std::string column_of_source(const std::string& source, const std::string& column);

enum class RowOrder {
  by_id,        ///< the same whatever the order of the tables and of their rows
  as_they_come  ///< those of the first table, then those that only later tables have
};

/// A table as it was read, with the identity of its rows.
struct NamedTable {
  std::string name;
  Table table;
};

/// The columns of all tables side by side, those of one source together and named after it. Where one has a target,
/// samples without one are left out. Identities that are empty or occur twice, tables without a sample in common with
/// the others, and a target in two of them are an InputError.
Table join_tables(std::vector<NamedTable> tables, MissingView missing, RowOrder order);

/// Options of one of several tables: a target, weights or columns that are named as source:column belong to that
/// source alone, others to every table that has them.
TableOptions options_of_source(const TableOptions& options, const std::string& source,
                               const std::vector<SourceFile>& files);

/// Reads and joins tables to learn from. The options name columns of any of the tables; the target, and the weights if
/// there are any, are in one of them.
Table read_tables(const std::vector<SourceFile>& files, const TableOptions& options, MissingView missing);

}  // namespace spicymkl
