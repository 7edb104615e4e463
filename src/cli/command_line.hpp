// The command as one would type it.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace spicymkl::cli {

/// The given arguments and options of a parsed command, quoted for a shell where needed.
std::string command_line(const CLI::App& app);

/// The same with other values for some options, by their names ("--drop"); none: the option is left out. Those that
/// were not given come last.
std::string command_line(const CLI::App& app, std::map<std::string, std::vector<std::string>> values);

}  // namespace spicymkl::cli
