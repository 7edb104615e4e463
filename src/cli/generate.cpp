#include <fmt/format.h>

#include "commands.hpp"
#include "data/generators.hpp"
#include "file_roles.hpp"
#include "io/atomic_file.hpp"
#include "option_registry.hpp"

namespace spicymkl::cli {

namespace {

struct GenerateCommand {
  std::string name;
  Index n_samples = 200;
  std::uint64_t seed = 0;
  std::string output;
};

std::string to_csv(const GeneratedData& data) {
  std::string text;
  for (const std::string& column : data.columns) text += column + ",";
  text += "y\n";
  for (Index i = 0; i < data.values.rows(); ++i) {
    for (Index j = 0; j < data.values.cols(); ++j) fmt::format_to(std::back_inserter(text), "{},", data.values(i, j));
    fmt::format_to(std::back_inserter(text), "{}\n", static_cast<int>(data.labels(i)));
  }
  return text;
}

int run(const GenerateCommand& command) {
  FileRoles().add_output("--output", command.output);
  write_file(command.output, to_csv(generate_data(command.name, command.n_samples, command.seed)));
  return 0;
}

}  // namespace

void add_generate(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<GenerateCommand>();
  CLI::App* app = program.add_subcommand("generate", "write a made-up data set as CSV");
  app->footer("Example: spicymkl generate ringnorm -n 500 --seed 1 -o ringnorm.csv");
  app->add_option("name", command->name, "one of " + generator_names())->required();
  app->add_option("-n", command->n_samples, "number of samples")->capture_default_str();
  app->add_option("--seed", command->seed, "seed")->check(whole_number())->capture_default_str();
  app->add_option("-o,--output", command->output, "CSV file to write")->required();
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
