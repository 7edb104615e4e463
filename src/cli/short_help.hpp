// Help that fits a screen: common options are explained, the others named.
#pragma once

#include <CLI/CLI.hpp>

namespace spicymkl::cli {

/// All subcommands get a short --help, and --help-all where it leaves something out.
void use_short_help(CLI::App& program);

}  // namespace spicymkl::cli
