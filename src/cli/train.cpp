#include <fmt/format.h>

#include "commands.hpp"
#include "gram_data.hpp"
#include "interrupt.hpp"
#include "kernel_input.hpp"
#include "output_files.hpp"
#include "progress.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/stopwatch.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "summary.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

namespace {

struct TrainCommand {
  TableInput table;
  KernelInput kernels;
  GramInput grams;
  TrainingOptions training;
  OutputOptions output;

  bool silent() const { return output.quiet || output.json; }
};

void check_choice(const TrainCommand& command) {
  if (command.table.path.empty() == command.grams.grams.empty())
    throw InputError(command.table.path.empty()
                         ? "train needs samples: give a table (DATA with --target), or --gram with --labels"
                         : "train takes a table or --gram, not both; leave one of them out");
  if (command.table.path.empty()) {
    if (command.grams.labels.empty()) throw InputError("--gram needs --labels: a .npy file with one label a sample");
    if (!command.table.target.empty())
      throw InputError("--target names a column of a table; with --gram give --labels");
    return;
  }
  if (!command.grams.labels.empty())
    throw InputError("--labels goes with --gram; with a table name its column by --target");
}

void report_groups(const GroupSummary& groups, bool silent) {
  if (silent || groups.n_absent == 0) return;
  fmt::print(stderr,
             "spicymkl: {} of {} group members are not columns of the table (such as '{}'); {} groups left out\n",
             groups.n_absent, groups.n_members, groups.absent_examples.empty() ? "" : groups.absent_examples.front(),
             groups.dropped_groups.size());
}

TrainingInput read_table_input(const TrainCommand& command, const TrainingPlan& plan) {
  const int threads = command.training.threads;
  Table table = read_table(command.table.path, table_options(command.table, threads));
  if (!table.has_target())
    throw InputError(fmt::format("{}: which column is to be learned? Name it by --target", command.table.path));
  Target target = make_target(table, command.training.problem.loss);
  TrainingInput input = make_training_input(std::move(table), std::move(target),
                                            {.impute = impute_method(command.kernels),
                                             .kernels = kernel_choice(command.kernels),
                                             .memory = parse_bytes(command.kernels.memory),
                                             .expected_passes = expected_passes(plan.problem, plan.settings.solver),
                                             .threads = threads});
  report_groups(input.table->groups, command.silent());
  if (interrupted()) throw Interrupted();
  return input;
}

TrainingInput read_gram_input(const TrainCommand& command) {
  GramData data = read_gram_data(command.grams, command.training.threads);
  TrainingInput input;
  input.target = make_target(labels_as_table(data.labels, command.grams.labels), command.training.problem.loss);
  input.bank = std::move(data.bank);
  input.sample_weights = std::move(data.weights);
  return input;
}

TrainedModel train(const TrainingInput& input, TrainingPlan plan, Progress& progress) {
  plan.settings.stop_requested = interrupted;
  return train_model(input, plan, [&](Index number, const Record& record) {
    const Index n_fits = input.target.n_fits();
    const std::string what = n_fits == 1 ? "training" : fmt::format("class {} of {}", number + 1, n_fits);
    progress.show(what, record, plan.settings.tol);
    return true;
  });
}

int run(const TrainCommand& command) {
  const TrainingPlan plan = make_plan(command.training);
  check_choice(command);
  parse_bytes(command.kernels.memory);
  watch_for_interrupts();
  OutputFiles files(command.output);
  Model model;
  std::vector<History> histories;
  std::vector<BankUse> bank;
  {
    Progress progress(command.silent());
    const Stopwatch input_clock;
    const TrainingInput input = command.table.path.empty() ? read_gram_input(command) : read_table_input(command, plan);
    const double seconds_input = input_clock.seconds();
    TrainedModel trained = train(input, plan, progress);
    model = std::move(trained.model);
    histories = std::move(trained.histories);
    model.seconds_input = seconds_input;
    bank = input.bank->use();
  }
  files.write(model, histories);
  if (command.output.json) fmt::print("{}\n", summary_json(model, bank));
  else if (!command.output.quiet) fmt::print("{}{}", summary_text(model), bank_text(bank));
  return model.converged() ? 0 : 1;
}

}  // namespace

void add_train(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* app = program.add_subcommand("train", "learn kernel weights and a predictor");
  app->footer(
      "Example: spicymkl train data.csv --target y --model m.safetensors\n"
      "         spicymkl train --gram K.npy --labels y.npy --alpha 0.05 --certificate proof.json");
  app->add_option("DATA", command->table.path, "table: .csv .tsv .libsvm .npy .npz, also .gz");
  add_column_options(*app, command->table);
  add_format_options(*app, command->table);
  add_kernel_options(*app, command->kernels);
  add_memory_option(*app, command->kernels.memory);
  add_gram_input(*app, command->grams);
  add_training_options(*app, command->training);
  add_output_options(*app, command->output);
  app->callback([&chosen, command] { chosen = [command] { return run(*command); }; });
}

}  // namespace spicymkl::cli
