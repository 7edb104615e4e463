// What the parser of the command line does not like, in one sentence of ours.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace spicymkl::cli {

/// "train does not know --targt; did you mean --target? (see spicymkl train --help)"
std::string usage_error(const CLI::App& program, const CLI::ParseError& error);

}  // namespace spicymkl::cli
