#include "learning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assumptions.hpp"
#include "command_line.hpp"
#include "core/wording.hpp"
#include "option_registry.hpp"
#include "pipeline/covariate_check.hpp"
#include "pipeline/input_notes.hpp"
#include "pipeline/table_check.hpp"
#include "ranks.hpp"
#include "say.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "summary.hpp"

namespace spicymkl::cli {

namespace {

void check_source(const LearningOptions& options) {
  require_one_source(*options.app, options.from_table(), !options.grams.grams.empty(),
                     "samples: give a table (DATA with --target), or --gram with --labels");
  if (!options.from_table() && options.grams.labels.empty() && !options.table.survival())
    throw InputError("--gram needs --labels: a file with one label per sample, .npy or .txt");
}

/// Survival times go with one loss, and that with nothing else.
void check_survival(const LearningOptions& options) {
  check_survival_options(options.table);
  const std::string& loss = options.problem.loss;
  const std::string own = default_loss(LabelKind::survival).name;
  if (options.table.survival() && loss != "auto" && loss != own)
    throw InputError(fmt::format(
        "--time and --event have no effect with the {} loss; leave them out, or give --loss {}", loss, own));
  if (!options.table.survival() && loss == own)
    throw InputError(fmt::format("the {} loss learns from times and events: give --time and --event in place of {}",
                                 own, options.from_table() ? "--target" : "--labels"));
}

/// A table and Gram matrices have options of their own.
std::vector<OptionRule> source_rules(const LearningOptions& options) {
  const bool table = options.from_table();
  std::vector<OptionRule> rules = format_rules(options.table);
  for (OptionRule& rule : survival_rules(options.table)) rules.push_back(std::move(rule));
  rules.insert(rules.end(),
               {{{"--target"}, table, "with --gram, whose samples are labelled by --labels"},
                {{"--multi-class"}, !options.table.survival() || options.leaves_multi_class(), "on survival times"},
                {{"--drop", "--categorical", "--id", "--impute", "--missing-view", "--no-standardize", "--features"},
                 table,
                 "with --gram, which has no columns"},
                {{"--missing-view"}, options.table.several(), "on one table, whose samples have all of its columns"},
                {{"--kernels", "--groups"}, table, "with --gram, which gives the kernels themselves"},
                {{"--labels"}, !table, "with a table, only with --gram (--target names the column to learn)"},
                {{"--psd"}, !table, "with a table, whose kernels have no negative eigenvalues"},
                {{"--device"}, bank_maker() == nullptr, "over the ranks of spicymkl-mpi, which share the processors"}});
  return rules;
}

/// What depends on the loss: known by name, or, for auto, when the target is.
void check_loss(const LearningOptions& options, const std::string& loss) {
  TrainingPlan plan = make_plan(options.problem);
  plan.problem.loss = loss;
  refuse_unused(plan.problem, given_parameters(*options.app));
  check(plan);
}

/// The ranks of spicymkl-mpi, or a device.
std::shared_ptr<const BankMaker> maker_for(const LearningOptions& options) {
  const std::shared_ptr<const Device> device = choose_device(options.kernels.device);
  return device ? banks_on(device) : bank_maker();
}

TablePlan table_plan(const LearningOptions& options, const TrainingPlan& plan, double passes) {
  TablePlan rows = make_table_plan(options.kernels, options.problem.threads);
  rows.watch = plan.settings.watch;
  rows.maker = maker_for(options);
  rows.kernels.covariates = options.table.covariates;
  rows.expected_passes = passes * expected_passes(plan.problem, plan.settings);
  return rows;
}

/// With the files of survival times, if these are learned, and that of --covariates.
GramInput grams_of(const LearningOptions& options) {
  GramInput grams = options.grams;
  if (options.table.survival()) {
    grams.labels = options.table.time;
    grams.events = options.table.event;
  }
  const std::vector<std::string>& given = options.table.covariates;
  if (given.size() > 1)
    throw InputError(fmt::format("--covariates names {} columns ({}), but --gram has none; give one .npy file, N x c",
                                 given.size(), fmt::join(given, ", ")));
  if (!given.empty()) grams.covariates = given.front();
  return grams;
}

Table labels_of(const GramData& data, const LearningOptions& options) { return labels_of(data, grams_of(options)); }

/// Of all rows: those of a fold may not tell some covariates apart, and get by without them.
Covariates checked_covariates(const LearningSource& source, const LearningOptions& options) {
  const std::vector<std::string>& names = options.table.covariates;
  if (names.empty()) return {};
  TrainingPlan plan = make_plan(options.problem);
  plan.problem.loss = source.target.loss;
  if (!source.table) {
    check_covariates(source.target.covariates, source.target, plan.problem,
                     [&](Index row) { return fmt::format("{}, row {}", names.front(), row + 1); });
    return source.target.covariates;
  }
  const Table& table = *source.table;
  const TablePlan rows = make_table_plan(options.kernels, options.problem.threads);
  Covariates covariates = table_covariates(table, names, rows.impute);
  check_covariates(covariates, source.target, plan.problem, [&](Index row) { return table.place(row); });
  return covariates;
}

/// The table with all that is learned from it, checked.
Table read_checked_rows(const LearningOptions& options) {
  const bool imputed = !options.kernels.impute.empty();
  TableOptions how = table_options(options.table, options.problem.threads);
  how.weights = options.grams.weights;
  how.complete = !imputed;
  Table table = read_rows(options.table, how, parse_missing_view(options.kernels.missing_view));
  if (!table.has_target())
    throw InputError(
        fmt::format("{}: which column is to be learned? Name it by --target, or survival times by --time and --event",
                    options.table.title()));
  if (!options.grams.weights.empty() && table.weight_name.empty()) read_weights(table, options.grams.weights);
  check_table(table, imputed, resolve_threads(options.problem.threads));
  return table;
}

DataSummary summary_of(const LearningSource& source, const LearningOptions& options) {
  const Table labels = source.grams ? labels_of(*source.grams, options) : Table();
  const Table& table = source.table ? *source.table : labels;
  const std::string& file = options.kernels.groups;
  const std::vector<ColumnGroup> groups = file.empty() || !source.table
                                              ? groups_of_sources(table.views)
                                              : read_groups(file, table.columns, table.views).groups;
  DataSummary summary = summarize(table, source.target, groups, resolve_threads(options.problem.threads));
  summary.impute = options.kernels.impute;
  summary.task_was_asked = options.problem.task != "auto" || options.problem.loss != "auto";
  return summary;
}

/// What is asked for, with the numbers that its cost depends on.
struct Forecast {
  const LearningOptions& options;
  const TrainingPlan& plan;
  Workload work;
};

Workload work_of(const Target& target, Index n_points, Index n_folds = 0) {
  return {target.n_fits(), n_points, n_folds, target.n_outputs(), target.joint() && !target.has_several()};
}

BankPlan plan_of_grams(const KernelBank& bank) {
  return plan_of_matrices(bank.n_samples(), bank.n_kernels(), bank.threads());
}

/// Says what the user should know of the kernels and, of a run that is not over at once, what it will take.
TrainingEstimate report_forecast(const std::vector<std::string>& notes, const BankPlan& bank, const Forecast& asked,
                                 bool silent) {
  constexpr double kShort = 2;  // seconds
  TrainingEstimate estimate = estimate_training(bank, asked.plan.problem, asked.plan.settings, asked.work);
  estimate.seconds *= machine_slowness();
  if (silent) return estimate;
  for (const std::string& note : notes) say("{}", note);
  if (estimate.seconds < kShort) return estimate;
  say("{}", estimate_text(bank, estimate));
  const double free = default_bank_memory(bank_maker().get()), given = parse_bytes(asked.options.kernels.memory);
  const std::string advice = estimate_advice(bank, estimate, asked.plan.settings, given > 0 ? given : free, 2 * free);
  if (!advice.empty()) say("{}", advice);
  return estimate;
}

}  // namespace

void add_learning_options(CLI::App& app, LearningOptions& options, const std::vector<std::string>& left_out) {
  options.app = &app;
  add_data(app, options.table, "table: .csv .tsv .libsvm .npy .npz, also .gz; or several, NAME=FILE");
  add_column_options(app, options.table);
  add_covariates_option(app, options.table);
  add_format_options(app, options.table);
  add_options(app, kernel_option_table(), options.kernels, left_out);
  add_gram_input(app, options.grams);
  add_psd_option(app, options.grams);
  add_options(app, problem_option_table(), options.problem, left_out);
  app.parse_complete_callback([&options] { take_tables_from_target(options.table); });
}

CLI::Option* add_explain_option(CLI::App& app, LearningOptions& options) {
  return app.add_flag("--explain", options.explain, "print the plan with its expected time and memory, train nothing");
}

TrainingPlan check_options(const LearningOptions& options, const std::vector<OptionRule>& rules) {
  if (options.grams.grams.empty()) refuse_swallowed_table(options.table);
  check_source(options);
  check_survival(options);
  if (options.from_table()) check_tables(options.table);
  refuse_unused(*options.app, source_rules(options));
  refuse_unused(*options.app, rules);
  check_loss(options, options.problem.loss);
  TrainingPlan plan = make_plan(options.problem);
  make_table_plan(options.kernels, options.problem.threads);
  parse_missing_view(options.kernels.missing_view);
  table_options(options.table, options.problem.threads);
  if (options.from_table()) check_kernel_files(options.kernels.kernels, options.kernels.groups);
  parse_psd_method(options.grams.psd);
  return plan;
}

FileRoles input_files(const LearningOptions& options) {
  FileRoles files;
  files.add_inputs("DATA", options.table.paths());
  files.add_input("--kernels", options.kernels.kernels);
  files.add_input("--groups", options.kernels.groups);
  files.add_inputs("--gram", options.grams.grams);
  files.add_input("--labels", options.grams.labels);
  if (!options.from_table()) {
    files.add_input("--time", options.table.time);
    files.add_input("--event", options.table.event);
  }
  files.add_input("--weights", options.grams.weights);
  if (!options.from_table()) files.add_inputs("--covariates", options.table.covariates);
  return files;
}

LearningSource read_source(const LearningOptions& options, const Watch& watch, bool silent) {
  const WatchedTask reading(watch, "reading");
  compare_over_ranks(input_files(options).paths());
  LearningSource source;
  const Task task = parse_task(options.problem.task);
  const MultiClass classes = parse_multi_class(options.problem.multi_class);
  const MultiOutput outputs = parse_multi_output(options.problem.multi_output);
  if (!options.from_table()) {
    if (n_ranks() > 1 && !silent)
      say("the matrices of --gram stay on rank 0, which works alone: only kernels on a table are spread over ranks");
    source.grams = read_gram_data(grams_of(options), options.problem.threads, watch);
    source.target = make_target(labels_of(*source.grams, options), options.problem.loss, task, classes, outputs);
    source.target.covariates = std::move(source.grams->covariates);
  } else {
    source.table = read_checked_rows(options);
    if (!silent) say_remarks(*source.table);
    source.target = make_target(*source.table, options.problem.loss, task, classes, outputs);
  }
  check_loss(options, source.target.loss);
  refuse_unused(*options.app, {{{"--multi-class"},
                                source.target.classes.size() > 2 || options.leaves_multi_class(),
                                source.target.classes.empty() ? "on numbers" : "on two classes"},
                               {{"--multi-output"}, source.target.has_several(), "on one target"}});
  source.summary = summary_of(source, options);
  source.summary.covariates = checked_covariates(source, options).names;
  if (!silent) say_assumptions(source.summary);
  return source;
}

TrainingInput make_input(LearningSource source, const LearningOptions& options, const TrainingPlan& plan, double passes,
                         bool silent) {
  TrainingInput input;
  if (source.table) {
    TablePlan rows = table_plan(options, plan, passes);
    const Workload work = work_of(source.target, static_cast<Index>(passes));
    std::optional<TrainingEstimate> estimate;
    rows.planned = [&](const TrainingTable& table, const BankPlan& bank) {
      estimate = report_forecast(input_notes(table), bank, {options, plan, work}, silent);
    };
    input = make_training_input(std::move(*source.table), std::move(source.target), rows);
    input.estimate = estimate;
  } else {
    input = make_gram_input(std::move(source.grams->bank), source.grams->psd, choose_device(options.kernels.device));
    input.tolerated = std::move(source.grams->tolerated);
    input.target = std::move(source.target);
    const Workload work = work_of(input.target, static_cast<Index>(passes));
    input.estimate = report_forecast({}, plan_of_grams(*input.bank), {options, plan, work}, silent);
    input.sample_weights = std::move(source.grams->weights);
  }
  report_grams(input, silent);
  return input;
}

void forecast_cv(const LearningSource& source, const LearningOptions& options, const TrainingPlan& plan, int n_folds,
                 double n_points, bool silent) {
  if (silent) return;
  const Forecast asked{options, plan, work_of(source.target, static_cast<Index>(n_points), n_folds)};
  if (!source.table) {
    report_forecast({}, plan_of_grams(*source.grams->bank), asked, silent);
    return;
  }
  const auto [table, bank] = plan_training_input(*source.table, table_plan(options, plan, n_points));
  report_forecast(input_notes(table), bank, asked, silent);
}

int explain(const LearningOptions& options, const OutputOptions& output, const TrainingPlan& plan, Index n_points,
            Index n_folds) {
  LearningSource source = read_source(options, plan.settings.watch, output.silent());
  const auto passes = static_cast<double>(n_points);
  BankPlan bank = source.table ? plan_training_input(std::move(*source.table), table_plan(options, plan, passes)).second
                               : plan_of_grams(*source.grams->bank);
  const ProblemDescription problem = description_for(source.target, plan.problem);
  const Explanation explanation = explain_training(std::move(bank), problem, plan.settings,
                                                   work_of(source.target, n_points, n_folds), machine_slowness());
  if (output.json) {
    show_json(explanation_json(explanation));
    return 0;
  }
  show("{}", explanation_text(explanation));
  if (n_points > 1)
    show("  the times are of {}{}\n", counted(n_points, "point"),
         n_folds > 0 ? fmt::format(" on each of {} folds, and of a fit on all rows", n_folds) : "");
  return 0;
}

std::vector<std::string> presets_for(std::vector<std::string> presets, const LearningSource& source,
                                     const LearningOptions& options) {
  const std::vector<std::string>& covariates = options.table.covariates;
  Index n_columns = std::ssize(source.summary.columns), n_categorical = source.summary.n_categorical();
  if (source.table)
    for (const Index j : covariate_columns(*source.table, covariates)) {
      --n_columns;
      n_categorical -= source.table->categories[j].empty() ? 0 : 1;
    }
  presets = distinct_presets(std::move(presets), n_columns, n_categorical);
  if (presets.size() == 1) presets.clear();  // those of the options
  return presets;
}

std::unique_ptr<Dataset> make_dataset(LearningSource source, const LearningOptions& options, const TrainingPlan& plan,
                                      double passes) {
  if (source.table)
    return make_table_dataset(std::move(*source.table), std::move(source.target), table_plan(options, plan, passes));
  GramData& data = *source.grams;
  return make_gram_dataset(std::move(data.bank), std::move(source.target), std::move(data.weights), data.psd);
}

TrainingRequest request_of(const LearningOptions& options, const std::string& what) {
  TrainingRequest request;
  request.what = what;
  request.command = command_line(*options.app);
  request.solver = options.problem.solver;
  request.threads = options.problem.threads;
  if (options.from_table()) {
    const std::string& groups = options.kernels.groups;
    request.data = options.table.title();
    request.kernels = options.kernels.kernels + (groups.empty() ? "" : ", groups of " + groups);
  } else {
    request.data = options.grams.grams.front();
    request.kernels = fmt::format("{}", fmt::join(options.grams.grams, ", "));
    request.labels = grams_of(options).labels;
  }
  return request;
}

void report_grams(const TrainingInput& input, bool silent) {
  if (silent) return;
  for (const std::string& note : gram_notes(input)) say("{}", note);
}

}  // namespace spicymkl::cli
