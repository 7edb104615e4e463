// The subcommands. Each adds itself to the program and says what to run when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace spicymkl::cli {

/// Runs the chosen command and returns its exit status: 0 done, 1 a check failed or not converged, 2 bad input.
using Command = std::function<int()>;

void add_train(CLI::App& program, Command& chosen);
void add_predict(CLI::App& program, Command& chosen);
void add_evaluate(CLI::App& program, Command& chosen);
void add_inspect(CLI::App& program, Command& chosen);
void add_path(CLI::App& program, Command& chosen);
void add_cv(CLI::App& program, Command& chosen);
void add_kernels(CLI::App& program, Command& chosen);
void add_verify(CLI::App& program, Command& chosen);
void add_generate(CLI::App& program, Command& chosen);
void add_bench(CLI::App& program, Command& chosen);
void add_options_command(CLI::App& program, Command& chosen);
// Not listed by --help; the build runs them.
void add_man_page(CLI::App& program, Command& chosen);
void add_completion(CLI::App& program, Command& chosen);

}  // namespace spicymkl::cli
