// The command as one would type it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace spicymkl::cli {

/// The given arguments and options of a parsed command, quoted for a shell where needed.
std::string command_line(const CLI::App& app);

}  // namespace spicymkl::cli
