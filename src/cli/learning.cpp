#include "learning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "assumptions.hpp"
#include "option_registry.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/pipeline/table_check.hpp"

namespace spicymkl::cli {

namespace {

void check_source(const LearningOptions& options, const std::string& command) {
  if (options.table.path.empty() == options.grams.grams.empty())
    throw InputError(options.table.path.empty()
                         ? command + " needs samples: give a table (DATA with --target), or --gram with --labels"
                         : command + " takes a table or --gram, not both; leave one of them out");
  if (options.table.path.empty()) {
    if (options.grams.labels.empty()) throw InputError("--gram needs --labels: a .npy file with one label a sample");
    if (!options.table.target.empty())
      throw InputError("--target names a column of a table; with --gram give --labels");
    return;
  }
  if (!options.grams.labels.empty())
    throw InputError("--labels goes with --gram; with a table name its column by --target");
}

TablePlan table_plan(const LearningOptions& options, const TrainingPlan& plan, double passes) {
  TablePlan rows = make_table_plan(options.kernels, options.problem.threads);
  rows.expected_passes = passes * expected_passes(plan.problem, plan.settings.solver);
  return rows;
}

Table labels_of(const GramData& data, const LearningOptions& options) {
  return labels_as_table(data.labels, options.grams.labels);
}

/// The table with all that is learned from it, checked.
Table read_rows(const LearningOptions& options) {
  const bool imputed = !options.kernels.impute.empty();
  TableOptions how = table_options(options.table, options.problem.threads);
  how.weights = options.grams.weights;
  how.complete = !imputed;
  Table table = read_table(options.table.path, how);
  if (!table.has_target())
    throw InputError(fmt::format("{}: which column is to be learned? Name it by --target", options.table.path));
  if (!options.grams.weights.empty() && table.weight_name.empty()) read_weights(table, options.grams.weights);
  check_table(table, imputed);
  return table;
}

DataSummary summary_of(const LearningSource& source, const LearningOptions& options) {
  const Table labels = source.grams ? labels_of(*source.grams, options) : Table();
  const Table& table = source.table ? *source.table : labels;
  const std::string& file = options.kernels.groups;
  const std::vector<ColumnGroup> groups =
      file.empty() || !source.table ? std::vector<ColumnGroup>() : read_groups(file, table.columns).groups;
  DataSummary summary = summarize(table, source.target, groups);
  summary.impute = options.kernels.impute;
  summary.task_was_asked = options.problem.task != "auto" || options.problem.loss != "auto";
  return summary;
}

/// Tells of eigenvalues that are below zero by rounding.
void report_tolerated(const GramData& data, bool silent) {
  if (silent || data.tolerated.empty()) return;
  const auto worst = std::min_element(data.tolerated.begin(), data.tolerated.end(),
                                      [](const auto& a, const auto& b) { return a.relative < b.relative; });
  fmt::print(
      stderr,
      "spicymkl: {} a negative eigenvalue as small as rounding; the lowest is {:.1g} of the largest, kernel '{}'\n",
      data.tolerated.size() == 1 ? "1 kernel has" : fmt::format("{} kernels have", data.tolerated.size()),
      worst->relative, data.bank->name(worst->kernel));
}

/// Tells of group members that the table does not have.
void report_groups(const GroupSummary& groups) {
  if (groups.n_absent == 0) return;
  fmt::print(stderr,
             "spicymkl: {} of {} group members are not columns of the table (such as '{}'); {} groups left out\n",
             groups.n_absent, groups.n_members, groups.absent_examples.empty() ? "" : groups.absent_examples.front(),
             groups.dropped_groups.size());
}

void report_repairs(const TrainingInput& input) {
  for (const PsdRepair& repair : *input.repairs)
    fmt::print(stderr, "spicymkl: kernel '{}' had eigenvalues down to {:.3g} (largest {:.3g}); mended by {}\n",
               input.bank->name(repair.kernel), repair.smallest, repair.largest, to_string(input.psd));
}

}  // namespace

void add_learning_options(CLI::App& app, LearningOptions& options, const std::vector<std::string>& left_out) {
  app.add_option("DATA", options.table.path, "table: .csv .tsv .libsvm .npy .npz, also .gz");
  add_column_options(app, options.table);
  add_format_options(app, options.table);
  add_options(app, kernel_option_table(), options.kernels, left_out);
  add_gram_input(app, options.grams);
  add_psd_option(app, options.grams);
  add_options(app, problem_option_table(), options.problem, left_out);
}

TrainingPlan check_options(const LearningOptions& options, const std::string& command) {
  TrainingPlan plan = make_plan(options.problem);
  refuse_swallowed_table(options.table);
  check_source(options, command);
  make_table_plan(options.kernels, options.problem.threads);
  return plan;
}

LearningSource read_source(const LearningOptions& options, bool silent) {
  LearningSource source;
  const Task task = parse_task(options.problem.task);
  if (options.table.path.empty()) {
    source.grams = read_gram_data(options.grams, options.problem.threads);
    source.target = make_target(labels_of(*source.grams, options), options.problem.loss, task);
  } else {
    source.table = read_rows(options);
    source.target = make_target(*source.table, options.problem.loss, task);
  }
  source.summary = summary_of(source, options);
  if (!silent) say_assumptions(source.summary);
  return source;
}

TrainingInput make_input(LearningSource source, const LearningOptions& options, const TrainingPlan& plan, double passes,
                         bool silent) {
  TrainingInput input;
  if (source.table) {
    input = make_training_input(std::move(*source.table), std::move(source.target), table_plan(options, plan, passes));
  } else {
    report_tolerated(*source.grams, silent);
    input = make_gram_input(std::move(source.grams->bank), source.grams->psd);
    input.target = std::move(source.target);
    input.sample_weights = std::move(source.grams->weights);
  }
  report_input(input, silent);
  return input;
}

std::unique_ptr<Dataset> make_dataset(LearningSource source, const LearningOptions& options, const TrainingPlan& plan,
                                      double passes) {
  if (source.table)
    return make_table_dataset(std::move(*source.table), std::move(source.target), table_plan(options, plan, passes));
  GramData& data = *source.grams;
  return make_gram_dataset(std::move(data.bank), std::move(source.target), std::move(data.weights), data.psd);
}

Report begin_report(const LearningOptions& options, const std::string& line, const std::string& title) {
  const bool table = !options.table.path.empty();
  Report report;
  report.title = fmt::format("{} on {}", title, table ? options.table.path : options.grams.grams.front());
  report.command = line;
  if (table) {
    const std::string& groups = options.kernels.groups;
    report.asked = {{"Data", options.table.path},
                    {"Kernels", options.kernels.kernels + (groups.empty() ? "" : ", groups of " + groups)}};
  } else {
    report.asked = {{"Kernels", fmt::format("{}", fmt::join(options.grams.grams, ", "))},
                    {"Labels", options.grams.labels}};
  }
  report.asked.push_back({"Solver", options.problem.solver});
  return report;
}

void report_input(const TrainingInput& input, bool silent) {
  if (silent) return;
  if (input.table) report_groups(input.table->groups);
  if (input.repairs) report_repairs(input);
}

}  // namespace spicymkl::cli
