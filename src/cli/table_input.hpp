// Options that say where a table is and how to read it.
#pragma once

#include <CLI/CLI.hpp>

#include "spicymkl/io/read_table.hpp"

namespace spicymkl::cli {

struct TableInput {
  std::string path;
  std::string format;
  std::string header = "auto";
  std::string target;
  std::vector<std::string> drop;
  std::vector<std::string> categorical;
};

/// --format and --header: how the file is read.
void add_format_options(CLI::App& app, TableInput& input);
/// --target, --drop, --categorical: what its columns are.
void add_column_options(CLI::App& app, TableInput& input);

TableOptions table_options(const TableInput& input, int threads);

}  // namespace spicymkl::cli
