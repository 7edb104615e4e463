#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "assumptions.hpp"
#include "checkpoint_file.hpp"
#include "commands.hpp"
#include "core/stopwatch.hpp"
#include "evaluation.hpp"
#include "input_files.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "output_files.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "summary.hpp"
#include "test_rows.hpp"

namespace spicymkl::cli {

namespace {

struct TrainCommand {
  LearningOptions learning;
  OutputOptions output;
  CheckpointOptions checkpoint;
  TableInput test;  ///< its files
};

/// All that is reported of a run.
struct TrainRun {
  TrainedModel trained;
  std::vector<BankUse> bank;
  std::vector<std::string> remarks;  ///< on the kernels
  std::optional<TrainingEstimate> estimate;
  DataSummary data;
  std::optional<Evaluation> test;
};

std::optional<TestRows> read_test(const TrainCommand& command, const TrainingInput& input) {
  if (!command.test.given()) return std::nullopt;
  TableInput rows = command.learning.table;
  rows.data = command.test.data;
  if (!rows.survival())
    rows.target = input.target.has_several() ? input.target.names : std::vector{input.table->target_name};
  return read_test_rows(rows, *input.table, input.target, command.learning.problem.threads, command.output.silent());
}

/// None if the user wants an end: the model is worth more than its test.
std::optional<Evaluation> test_of(const TestRows& test, const Model& model, int threads) {
  try {
    return evaluate_on(test, model, threads);
  } catch (const Interrupted&) {
    return std::nullopt;
  }
}

TrainRun train(const TrainCommand& command, const TrainingPlan& plan, const UnchangedFiles& inputs,
               CheckpointFile& checkpoint) {
  TrainRun run;
  const Watch& watch = plan.settings.watch;
  const Progress progress(watch, command.output.silent());
  const Stopwatch input_clock;
  LearningSource source = read_source(command.learning, watch, command.output.silent());
  run.data = source.summary;
  checkpoint.check(source.target);
  watch_for_interrupts(command.output.model.empty() ? Leaves::what_is_done : Leaves::best_model);
  const TrainingInput input = make_input(std::move(source), command.learning, plan, 1, command.output.silent());
  const std::optional<TestRows> test = read_test(command, input);
  const double seconds_input = input_clock.seconds();
  const TrainingState earlier = checkpoint.earlier(input);
  run.trained = train_model(input, plan, training_progress(watch, input.target, plan.settings.tol), earlier,
                            [&](const auto& state, bool last) {
                              inputs.check();  // what was learned from a file that is being written is not kept
                              checkpoint.offer(state, last);
                            });
  run.trained.model.seconds_input = seconds_input;
  run.bank = input.bank->use();
  if (input.table) run.remarks = input.table->remarks;
  run.estimate = input.estimate;
  if (test) run.test = test_of(*test, run.trained.model, command.learning.problem.threads);
  return run;
}

std::string page(const TrainCommand& command, const TrainRun& run) {
  TrainingRequest request = request_of(command.learning, "Training");
  request.alpha = command.learning.problem.alpha;
  request.remarks = run.remarks;
  Report report = begin_report(request);
  report.data = run.data;
  report.model = &run.trained.model;
  report.histories = run.trained.histories;
  report.test = run.test;
  report.test_source = command.test.title();
  return report_html(report);
}

void print(const TrainCommand& command, const TrainRun& run) {
  if (command.output.json) {
    auto json = nlohmann::ordered_json::parse(summary_json(run.trained.model, run.bank, run.test, run.estimate));
    json["data"] = assumptions_json(run.data);
    show_json(json.dump());
    return;
  }
  if (command.output.quiet) return;
  show("{}{}", summary_text(run.trained.model), bank_text(run.bank));
  if (run.test) show("test on {}\n{}", command.test.title(), evaluation_text(*run.test));
}

std::vector<OptionRule> rules_of(const TrainCommand& command) {
  const bool table = command.learning.from_table();
  return {{{"--test"}, table, "with --gram; give kernels of other rows to predict --gram"},
          {{"--memory"}, table, "with --gram, whose kernels are in memory"},
          {{"--checkpoint-every"}, !command.checkpoint.path.empty(), "without --checkpoint"}};
}

void check_files(const TrainCommand& command) {
  FileRoles files = input_files(command.learning);
  files.add_inputs("--test", command.test.paths());
  files.add_outputs(outputs_of(command.output));
  files.add_output("--checkpoint", command.checkpoint.path);
}

int run(const TrainCommand& command) {
  const Watch watch = command_watch(command.learning.problem.max_seconds);
  TrainingPlan plan = check_options(command.learning, rules_of(command));
  check_files(command);
  watch_with(watch, plan);
  if (command.learning.explain) return explain(command.learning, command.output, plan);
  OutputFiles files(outputs_of(command.output));
  const UnchangedFiles inputs(command.learning.grams.grams);
  CheckpointFile checkpoint(command.checkpoint, command.learning);
  if (command.checkpoint.resume && !command.output.silent()) {
    if (checkpoint.exists()) say("resuming from '{}'", command.checkpoint.path);
    else say("there is no '{}' to resume from: starting from the beginning", command.checkpoint.path);
  }
  const TrainRun run = train(command, plan, inputs, checkpoint);
  inputs.check();
  files.write_model(run.trained, command.learning.problem.threads);
  files.write("--report", [&] { return page(command, run); });
  files.commit();
  if (run.trained.model.converged()) checkpoint.remove();
  print(command, run);
  return run.trained.model.converged() ? 0 : 1;
}

}  // namespace

void add_train(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* app = program.add_subcommand("train", "learn kernel weights and a predictor");
  app->footer(
      "Example: spicymkl train data.csv --target y --model m.safetensors\n"
      "         spicymkl train --gram K.npy --labels y.npy --alpha 0.05 --certificate proof.json");
  add_learning_options(*app, command->learning);
  app->add_option("--test", command->test.data, "table of other rows: how well are they predicted?")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  add_explain_option(*app, command->learning);
  add_output_options(*app, command->output);
  add_checkpoint_options(*app, command->checkpoint);
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
