#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "gram_data.hpp"
#include "interrupt.hpp"
#include "kernel_input.hpp"
#include "output_files.hpp"
#include "progress.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/stopwatch.hpp"
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

/// Kernels in memory, and what they are to learn.
struct TrainingInput {
  std::shared_ptr<const KernelBank> bank;
  std::shared_ptr<const KernelBank> exact_bank;  ///< where `bank` approximates; else null
  Target target;
  Vector sample_weights;
  std::string target_name;
  std::optional<TrainingTable> table;
  PsdMethod psd = PsdMethod::refuse;
  std::shared_ptr<const std::vector<PsdRepair>> repairs;
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

TrainingInput read_table_input(const TrainCommand& command) {
  const int threads = command.training.threads;
  Table table = read_table(command.table.path, table_options(command.table, threads));
  if (!table.has_target())
    throw InputError(fmt::format("{}: which column is to be learned? Name it by --target", command.table.path));
  TrainingInput input;
  input.target = make_target(table, command.training.problem.loss);
  input.target_name = table.target_name;
  input.table =
      make_training_table(std::move(table), impute_method(command.kernels), kernel_choice(command.kernels), threads);
  report_groups(input.table->groups, command.silent());
  if (interrupted()) throw Interrupted();
  // Sparse penalties are solved over a working set, which reads all kernels a few times; the others read them at every
  // step.
  constexpr double kFewPasses = 5, kManyPasses = 100;
  ProblemDescription unit = command.training.problem;
  unit.alpha = 1;
  const bool sparse = unit.make_regularizer()->threshold() > 0;
  const auto samples = std::make_shared<const Samples>(input.table->samples);
  input.bank = make_bank(samples, input.table->kernels,
                         {.memory = parse_bytes(command.kernels.memory),
                          .expected_passes = sparse && command.training.solver == "auto" ? kFewPasses : kManyPasses,
                          .threads = threads});
  if (!input.bank->exact()) input.exact_bank = make_exact_bank(samples, input.table->kernels, threads);
  return input;
}

/// What was found below zero and what was done about it.
void report_eigenvalues(const GramData& data, bool silent) {
  if (silent) return;
  if (data.repairs)
    for (const PsdRepair& repair : *data.repairs)
      fmt::print(stderr, "spicymkl: kernel '{}' had eigenvalues down to {:.3g} (largest {:.3g}); mended by {}\n",
                 data.bank->name(repair.kernel), repair.smallest, repair.largest, to_string(data.psd));
  if (data.tolerated.empty()) return;
  const auto worst = std::min_element(data.tolerated.begin(), data.tolerated.end(),
                                      [](const auto& a, const auto& b) { return a.relative < b.relative; });
  fmt::print(
      stderr,
      "spicymkl: {} a negative eigenvalue as small as rounding; the lowest is {:.1g} of the largest, kernel '{}'\n",
      data.tolerated.size() == 1 ? "1 kernel has" : fmt::format("{} kernels have", data.tolerated.size()),
      worst->relative, data.bank->name(worst->kernel));
}

TrainingInput read_gram_input(const TrainCommand& command) {
  GramData data = read_gram_data(command.grams, command.training.threads);
  TrainingInput input;
  input.target = make_target(labels_as_table(data.labels, command.grams.labels), command.training.problem.loss);
  input.bank = data.bank;
  input.sample_weights = std::move(data.weights);
  input.psd = data.psd;
  input.repairs = data.repairs;
  report_eigenvalues(data, command.silent());
  return input;
}

Model empty_model(const TrainingInput& input, double tol) {
  Model model;
  model.classes = input.target.classes;
  model.n_samples = input.bank->n_samples();
  for (Index m = 0; m < input.bank->n_kernels(); ++m) model.kernel_names.push_back(input.bank->name(m));
  if ((input.sample_weights.array() != 1).any()) model.sample_weights = input.sample_weights;
  model.tol = tol;
  return model;
}

/// An interrupt ends every fit as soon as it has a certified answer: the model is whole whenever it comes.
Model train(const TrainingInput& input, TrainingPlan plan, Progress& progress, std::vector<History>& histories) {
  plan.sample_weights = input.sample_weights;
  plan.settings.stop_requested = interrupted;
  Model model = empty_model(input, plan.settings.tol);
  for (Index f = 0; f < input.target.n_fits(); ++f) {
    const std::string what =
        input.target.n_fits() == 1 ? "training" : fmt::format("class {} of {}", f + 1, input.target.n_fits());
    plan.settings.callback = [&](const Record& record) {
      progress.show(what, record, plan.settings.tol);
      return true;
    };
    TrainedFit trained = train_fit(input.bank, input.exact_bank, input.target, f, plan);
    model.fits.push_back(std::move(trained.fit));
    histories.push_back(std::move(trained.history));
  }
  if (input.table)
    model.table = make_table_model(input.target_name, input.table->preparation, input.table->samples,
                                   input.table->kernels, model.fits);
  if (input.repairs) model.repair = make_gram_repair(input.psd, *input.repairs, model.fits);
  return model;
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
    const TrainingInput input = command.table.path.empty() ? read_gram_input(command) : read_table_input(command);
    const double seconds_input = input_clock.seconds();
    model = train(input, plan, progress, histories);
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
  add_psd_option(*app, command->grams);
  add_training_options(*app, command->training);
  add_output_options(*app, command->output);
  app->callback([&chosen, command] { chosen = [command] { return run(*command); }; });
}

}  // namespace spicymkl::cli
