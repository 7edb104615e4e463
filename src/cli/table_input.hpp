// Options that say where a table is and how to read it.
#pragma once

#include <CLI/CLI.hpp>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl::cli {

/// What the rows of a table are called.
struct RowNames {
  std::string name;              ///< of the column
  std::vector<std::string> ids;  ///< one per row; empty: they have no names
};

struct TableInput {
  std::string path;
  std::string format;
  std::string header = "auto";
  std::string target;
  std::vector<std::string> drop;
  std::vector<std::string> categorical;
  std::string id;
};

/// --format and --header: how the file is read.
void add_format_options(CLI::App& app, TableInput& input);
/// --target, --drop, --categorical, --id: what its columns are.
void add_column_options(CLI::App& app, TableInput& input);
void add_id_option(CLI::App& app, TableInput& input);

/// Options that take several columns take a file behind them as well: an InputError if that is why there is no table.
void refuse_swallowed_table(const TableInput& input);

TableOptions table_options(const TableInput& input, int threads);

}  // namespace spicymkl::cli
