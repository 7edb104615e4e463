#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "assumptions.hpp"
#include "command_line.hpp"
#include "commands.hpp"
#include "cv_table.hpp"
#include "fold_csv.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "option_registry.hpp"
#include "output_files.hpp"
#include "progress.hpp"
#include "spicymkl/core/stopwatch.hpp"
#include "spicymkl/pipeline/train_model.hpp"
#include "spicymkl/selection/selection_options.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CvCommand {
  LearningOptions learning;
  CvChoices choices;
  OutputOptions output;
  std::string csv;
  std::string assignments;  ///< file
  std::string line;         ///< as it was typed
};

struct CvRun {
  DataSummary data;
  RowNames ids;
  std::vector<Fold> folds;
  CrossValidation result;
  double seconds = 0;
  TrainedModel trained;  ///< on all rows, with what was chosen
  std::vector<BankUse> bank;
};

CrossValidation validate(const CvCommand& command, const Dataset& data, const std::vector<Fold>& folds,
                         const TrainingPlan& plan, const CvGrid& grid, Progress& progress) {
  CvOptions options;
  options.metric = choose_metric(command.choices.metric, data.target());
  options.one_standard_error = command.choices.one_standard_error;
  options.threads = command.learning.problem.threads;
  options.memory = parse_bytes(command.learning.kernels.memory);
  options.progress = [&](Index done, Index all) { progress.count("cross-validation", done, all); };
  CrossValidation result = cross_validate(data, folds, plan, grid, options);
  if (!result.complete) throw Interrupted();
  return result;
}

void refit(const CvCommand& command, const Dataset& data, const TrainingPlan& plan, double seconds_reading,
           Progress& progress, CvRun& run) {
  const Stopwatch clock;
  const Share share{command.learning.problem.threads, parse_bytes(command.learning.kernels.memory)};
  const auto rows = data.learn_from(all_kernels(data.target().n_rows()), share);
  report_input(rows->input(), command.output.silent());
  const double seconds_input = seconds_reading + clock.seconds();
  run.trained = train_model(rows->input(), chosen_plan(run.result, plan),
                            training_progress(progress, data.target(), plan.settings.tol));
  run.trained.model.seconds_input = seconds_input;
  run.bank = rows->input().bank->use();
}

std::string page(const CvCommand& command, const CvRun& run) {
  if (command.output.report.empty()) return "";
  Report report = begin_report(command.learning, command.line, "Cross-validation");
  report.data = run.data;
  report.model = &run.trained.model;
  report.histories = run.trained.histories;
  report.cv = run.result;
  return report_html(report);
}

void print(const CvCommand& command, const CvRun& run) {
  if (command.output.json) {
    Json json = cv_json(run.result);
    json["seconds"] = run.seconds;
    json["data"] = assumptions_json(run.data);
    json["model"] = Json::parse(summary_json(run.trained.model, run.bank, std::nullopt));
    fmt::print("{}\n", json.dump());
    return;
  }
  if (command.output.quiet) return;
  fmt::print("{}", cv_text(run.result));
  if (run.result.n_unconverged > 0)
    fmt::print("{} fits of folds did not reach the tolerance; raise --max-iter or --tol\n", run.result.n_unconverged);
  fmt::print("cross-validation {:.3f} s; on all rows:\n{}{}", run.seconds, summary_text(run.trained.model),
             bank_text(run.bank));
}

int run(const CvCommand& command) {
  TrainingPlan plan = check_options(command.learning, "cv");
  const CvGrid grid = make_cv_grid(command.choices, plan);
  plan.settings.stop_requested = interrupted;
  OutputFiles files(command.output);
  std::optional<AtomicFile> csv, assignments;
  if (!command.csv.empty()) csv.emplace(command.csv);
  if (!command.assignments.empty()) assignments.emplace(command.assignments);
  CvRun run;
  {
    Progress progress(command.output.silent());
    const Stopwatch clock;
    LearningSource source = read_source(command.learning, command.output.silent());
    run.data = source.summary;
    if (assignments && source.table) run.ids = {source.table->id_name, source.table->ids};
    const auto data =
        make_dataset(std::move(source), command.learning, plan, static_cast<double>(grid.alphas.values.size()));
    const double seconds_reading = clock.seconds();
    watch_for_interrupts();
    run.folds = make_folds(data->target(), command.choices.folds, command.learning.kernels.seed);
    run.result = validate(command, *data, run.folds, plan, grid, progress);
    run.seconds = clock.seconds() - seconds_reading;
    refit(command, *data, plan, seconds_reading, progress, run);
  }
  if (csv) csv->write(cv_csv(run.result));
  if (assignments) assignments->write(fold_csv(run.folds, run.ids, run.data.n_rows));
  files.write(run.trained.model, run.trained.histories, page(command, run));
  if (csv) csv->commit();
  if (assignments) assignments->commit();
  print(command, run);
  return run.trained.model.converged() ? 0 : 1;
}

}  // namespace

void add_cv(CLI::App& program, Command& chosen) {
  auto command = std::make_shared<CvCommand>();
  CLI::App* app = program.add_subcommand("cv", "choose alpha by cross-validation, then train on all rows");
  app->footer(
      "Everything is fitted on the training rows of each fold: scaling, kernel widths, missing cells.\n"
      "Example: spicymkl cv data.csv --target y --folds 5 --model m.safetensors -o cv.csv");
  add_learning_options(*app, command->learning, {"alpha"});
  add_options(*app, cv_option_table(), command->choices);
  app->add_option("-o,--output", command->csv, "write the scores of every point as CSV");
  app->add_option("--folds-csv", command->assignments, "write the fold that each row is tested in as CSV")
      ->group(kRareGroup);
  add_output_options(*app, command->output);
  app->callback([&chosen, command, app] {
    command->line = command_line(*app);
    chosen = [command] { return run(*command); };
  });
}

}  // namespace spicymkl::cli
