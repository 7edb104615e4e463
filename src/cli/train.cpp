#include <fmt/format.h>

#include "commands.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "output_files.hpp"
#include "progress.hpp"
#include "spicymkl/core/stopwatch.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

namespace {

struct TrainCommand {
  LearningOptions learning;
  OutputOptions output;
};

int run(const TrainCommand& command) {
  TrainingPlan plan = check_options(command.learning, "train");
  watch_for_interrupts();
  plan.settings.stop_requested = interrupted;
  OutputFiles files(command.output);
  TrainedModel trained;
  std::vector<BankUse> bank;
  {
    Progress progress(command.output.silent());
    const Stopwatch input_clock;
    const TrainingInput input = read_training_input(command.learning, plan, 1, command.output.silent());
    const double seconds_input = input_clock.seconds();
    trained = train_model(input, plan, training_progress(progress, input.target, plan.settings.tol));
    trained.model.seconds_input = seconds_input;
    bank = input.bank->use();
  }
  files.write(trained.model, trained.histories);
  if (command.output.json) fmt::print("{}\n", summary_json(trained.model, bank));
  else if (!command.output.quiet) fmt::print("{}{}", summary_text(trained.model), bank_text(bank));
  return trained.model.converged() ? 0 : 1;
}

}  // namespace

void add_train(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* app = program.add_subcommand("train", "learn kernel weights and a predictor");
  app->footer(
      "Example: spicymkl train data.csv --target y --model m.safetensors\n"
      "         spicymkl train --gram K.npy --labels y.npy --alpha 0.05 --certificate proof.json");
  add_learning_options(*app, command->learning);
  add_output_options(*app, command->output);
  app->callback([&chosen, command] { chosen = [command] { return run(*command); }; });
}

}  // namespace spicymkl::cli
