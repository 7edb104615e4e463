// All problems of a table, and the command that would run.
#pragma once

#include <CLI/CLI.hpp>

#include "io/table_problems.hpp"

namespace spicymkl::cli {

/// The text of the problems; where there are several and options of the command solve them all, also the command with
/// these options.
std::string table_problems_text(const TableProblems& problems, const CLI::App& app);

}  // namespace spicymkl::cli
