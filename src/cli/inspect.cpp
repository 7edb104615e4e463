#include <fmt/format.h>

#include "commands.hpp"
#include "say.hpp"
#include "spicymkl/model/model_file.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

namespace {

struct InspectCommand {
  std::string model;
  bool json = false;
};

int run(const InspectCommand& command) {
  const Model model = load_model(command.model);
  if (command.json) show_json(inspect_json(model));
  else show("{}", summary_text(model, true));
  return 0;
}

}  // namespace

void add_inspect(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<InspectCommand>();
  CLI::App* app = program.add_subcommand("inspect", "kernels by weight, gap and sizes of a model");
  app->footer("Example: spicymkl inspect m.safetensors");
  app->add_option("MODEL", command->model, "model file")->required();
  app->add_flag("--json", command->json, "print one JSON object instead of text");
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
