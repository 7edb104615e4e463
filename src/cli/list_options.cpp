#include <fmt/format.h>

#include "commands.hpp"
#include "selection/selection_options.hpp"

namespace spicymkl::cli {

void add_options_command(CLI::App& program, Command& chosen) {
  CLI::App* app = program.add_subcommand(
      "options", "print the options of train, path, cv and study, losses, penalties and kernels as JSON");
  app->footer("Example: spicymkl options");
  app->callback([&chosen] {
    chosen = [] {
      fmt::print("{}\n", option_tables_json());
      return 0;
    };
  });
}

}  // namespace spicymkl::cli
