// The subcommands. Each adds itself to the program and says what to run when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <type_traits>

namespace spicymkl::cli {

/// Runs the chosen command and returns its exit status: 0 done, 1 a check failed or not converged, 2 bad input.
using Command = std::function<int()>;

/// When `app` is chosen, `run` works with the options of `command`, which `app` fills in.
template <class Options>
void run_when_chosen(CLI::App& app, Command& chosen, std::shared_ptr<Options> command,
                     int (*run)(const std::type_identity_t<Options>&)) {
  app.callback([&chosen, command, run] { chosen = [command, run] { return run(*command); }; });
}

void add_train(CLI::App& program, Command& chosen);
void add_predict(CLI::App& program, Command& chosen);
void add_evaluate(CLI::App& program, Command& chosen);
void add_inspect(CLI::App& program, Command& chosen);
void add_path(CLI::App& program, Command& chosen);
void add_cv(CLI::App& program, Command& chosen);
void add_study(CLI::App& program, Command& chosen);
void add_merge(CLI::App& program, Command& chosen);
void add_kernels(CLI::App& program, Command& chosen);
void add_verify(CLI::App& program, Command& chosen);
void add_generate(CLI::App& program, Command& chosen);
void add_bench(CLI::App& program, Command& chosen);
void add_options_command(CLI::App& program, Command& chosen);
// Not listed by --help; the build runs them.
void add_man_page(CLI::App& program, Command& chosen);
void add_completion(CLI::App& program, Command& chosen);

}  // namespace spicymkl::cli
