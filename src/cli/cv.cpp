#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "assumptions.hpp"
#include "commands.hpp"
#include "core/stopwatch.hpp"
#include "cv_table.hpp"
#include "input_files.hpp"
#include "interrupt.hpp"
#include "learning.hpp"
#include "option_registry.hpp"
#include "output_files.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "say.hpp"
#include "selection/selection_options.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/pipeline/train_model.hpp"
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
};

struct CvRun {
  DataSummary data;
  RowNames ids;
  std::vector<Fold> folds;
  CrossValidation result;
  double seconds = 0;
  TrainedModel trained;  ///< on all rows, with what was chosen
  std::vector<BankUse> bank;
  std::vector<std::string> remarks;  ///< on the kernels
};

CrossValidation validate(const CvCommand& command, const Dataset& data, const std::vector<Fold>& folds,
                         const TrainingPlan& plan, const CvGrid& grid) {
  CvOptions options;
  options.metric = choose_metric(command.choices.metric, data.target());
  options.one_standard_error = command.choices.one_standard_error;
  options.threads = command.learning.problem.threads;
  options.memory = parse_bytes(command.learning.kernels.memory);
  if (options.memory == 0) options.memory = default_bank_memory(bank_maker().get());
  if (bank_maker()) options.at_once = 1;  // all ranks work for one fold, with all threads
  return cross_validate(data, folds, plan, grid, options);
}

void refit(const CvCommand& command, const Dataset& data, const TrainingPlan& plan, double seconds_reading,
           CvRun& run) {
  const Stopwatch clock;
  const Share share{command.learning.problem.threads, parse_bytes(command.learning.kernels.memory)};
  const auto rows = data.learn_from(all_kernels(data.target().n_rows()), share, run.result.choice().kernels);
  report_grams(rows->input(), command.output.silent());
  const double seconds_input = seconds_reading + clock.seconds();
  run.trained = train_model(rows->input(), chosen_plan(run.result, plan),
                            training_progress(plan.settings.watch, data.target(), plan.settings.tol));
  run.trained.model.seconds_input = seconds_input;
  run.bank = rows->input().bank->use();
  if (rows->input().table) run.remarks = rows->input().table->remarks;
}

std::string page(const CvCommand& command, const CvRun& run) {
  TrainingRequest request = request_of(command.learning, "Cross-validation");
  request.remarks = run.remarks;
  Report report = begin_report(request);
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
    show_json(json.dump());
    return;
  }
  if (command.output.quiet) return;
  const std::string edge = edge_text(run.result, command.choices.alphas.empty());
  if (!edge.empty()) say("{}", edge);
  show("{}", cv_text(run.result));
  if (run.result.n_unconverged > 0)
    show("{} fits of folds did not reach the tolerance; raise --max-iter or --tol\n", run.result.n_unconverged);
  show("cross-validation {:.3f} s; on all rows:\n{}{}", run.seconds, summary_text(run.trained.model),
       bank_text(run.bank));
}

std::vector<OptionRule> rules_of(const CvCommand& command) {
  const CvChoices& choices = command.choices;
  std::vector<OptionRule> rules = alpha_rules({choices.n_alphas, choices.alpha_ratio, choices.alphas});
  rules.push_back({{"--l1-ratio"}, choices.l1_ratios.empty(), "with --l1-ratios, which lists the values to try"});
  rules.push_back({{"--q"}, choices.qs.empty(), "with --qs, which lists the values to try"});
  return rules;
}

Outputs outputs_of(const CvCommand& command) {
  Outputs outputs = {{"--output", command.csv}, {"--folds-csv", command.assignments}};
  for (auto& output : outputs_of(command.output)) outputs.push_back(output);
  return outputs;
}

/// Stopped among the folds: the scores are kept, but there is no time left for a model. Says what could be done with
/// them.
void keep_scores(const CvCommand& command, const CvRun& run, const Watch& watch, bool written) {
  const CrossValidation& result = run.result;
  const auto n_some = std::count_if(result.points.begin(), result.points.end(), any_score);
  if (result.n_scored > 0 && command.output.json) show_json(cv_json(result).dump());
  else if (result.n_scored > 0 && !command.output.quiet) show("{}", cv_text(result));
  std::string text = fmt::format("interrupted, {}; {} of {} points have scores, {} of them from every fold",
                                 watch.reason(), n_some, result.points.size(), result.n_scored);
  text += written ? fmt::format(", and are in '{}'", command.csv) : "; nothing was written (-o FILE keeps them)";
  if (result.n_scored > 0)
    text += fmt::format("; no model was trained, the best point so far is train {}--alpha {}",
                        result.choice().kernels.empty() ? "" : fmt::format("--kernels {} ", result.choice().kernels),
                        AlphaGrid{{result.choice().alpha}, result.relative}.text(0));
  else text += "; there is no model, for no point can be chosen yet";
  say("{}", text);
}

int run(const CvCommand& command) {
  const Watch watch = command_watch(command.learning.problem.max_seconds);
  TrainingPlan plan = check_options(command.learning, rules_of(command));
  const KernelOptions& kernels = command.learning.kernels;
  const bool of_table = command.learning.from_table();
  const bool has_sources = !kernels.groups.empty() || command.learning.table.several();
  CvGrid grid = make_cv_grid(command.choices, plan,
                             of_table ? presets_to_try(kernels.kernels, has_sources) : std::vector<std::string>{});
  check_fold_count(command.choices.folds);
  check_metric_name(command.choices.metric);
  input_files(command.learning).add_outputs(outputs_of(command));
  watch_with(watch, plan);
  if (command.learning.explain)
    return explain(command.learning, command.output, plan, grid.n_points(), command.choices.folds);
  OutputFiles files(outputs_of(command));
  const UnchangedFiles inputs(command.learning.grams.grams);
  CvRun run;
  {
    const Progress progress(watch, command.output.silent());
    const Stopwatch clock;
    LearningSource source = read_source(command.learning, watch, command.output.silent());
    run.data = source.summary;
    grid.kernels = presets_for(std::move(grid.kernels), source, command.learning);
    choose_metric(command.choices.metric, source.target);  // one that does not suit is refused before the work
    run.folds = make_folds(source.target, command.choices.folds, command.learning.kernels.seed);
    if (files.has("--folds-csv") && source.table) run.ids = {source.table->id_name, source.table->ids};
    forecast_cv(source, command.learning, plan, command.choices.folds, static_cast<double>(grid.n_points()),
                command.output.silent());
    const auto data =
        make_dataset(std::move(source), command.learning, plan, static_cast<double>(grid.alphas.values.size()));
    const double seconds_reading = clock.seconds();
    watch_for_interrupts(Leaves::what_is_done);
    run.result = validate(command, *data, run.folds, plan, grid);
    run.seconds = clock.seconds() - seconds_reading;
    if (run.result.complete) refit(command, *data, plan, seconds_reading, run);
  }
  const bool scored = std::any_of(run.result.points.begin(), run.result.points.end(), any_score);
  if (run.result.complete) inputs.check();
  if (scored) files.write("--output", [&] { return cv_csv(run.result); });
  files.write("--folds-csv", [&] { return fold_csv(run.folds, run.ids, run.data.n_rows); });
  if (!run.result.complete) {
    files.commit();
    keep_scores(command, run, watch, scored && files.has("--output"));
    return 1;
  }
  files.write_model(run.trained, command.learning.problem.threads);
  files.write("--report", [&] { return page(command, run); });
  files.commit();
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
  add_learning_options(*app, command->learning, {"alpha", "device"});
  add_options(*app, cv_option_table(), command->choices);
  app->add_option("-o,--output", command->csv, "write the scores of every point as CSV");
  app->add_option("--folds-csv", command->assignments, "write the fold that each row is tested in as CSV")
      ->group(kRareGroup);
  add_explain_option(*app, command->learning)->group(kRareGroup);
  add_output_options(*app, command->output);
  run_when_chosen(*app, chosen, command, run);
}

}  // namespace spicymkl::cli
