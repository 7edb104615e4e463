#include "learning.hpp"

#include <fmt/format.h>

#include "gram_data.hpp"
#include "interrupt.hpp"
#include "option_registry.hpp"
#include "spicymkl/core/error.hpp"

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

Table read_rows(const LearningOptions& options) {
  Table table = read_table(options.table.path, table_options(options.table, options.problem.threads));
  if (!table.has_target())
    throw InputError(fmt::format("{}: which column is to be learned? Name it by --target", options.table.path));
  return table;
}

TablePlan table_plan(const LearningOptions& options, const TrainingPlan& plan, double passes) {
  TablePlan rows = make_table_plan(options.kernels, options.problem.threads);
  rows.expected_passes = passes * expected_passes(plan.problem, plan.settings.solver);
  return rows;
}

Target gram_target(const GramData& data, const LearningOptions& options) {
  return make_target(labels_as_table(data.labels, options.grams.labels), options.problem.loss);
}

}  // namespace

void add_learning_options(CLI::App& app, LearningOptions& options, const std::vector<std::string>& left_out) {
  app.add_option("DATA", options.table.path, "table: .csv .tsv .libsvm .npy .npz, also .gz");
  add_column_options(app, options.table);
  add_format_options(app, options.table);
  add_options(app, kernel_option_table(), options.kernels, left_out);
  add_gram_input(app, options.grams);
  add_options(app, problem_option_table(), options.problem, left_out);
}

TrainingPlan check_options(const LearningOptions& options, const std::string& command) {
  TrainingPlan plan = make_plan(options.problem);
  check_source(options, command);
  make_table_plan(options.kernels, options.problem.threads);
  return plan;
}

TrainingInput read_training_input(const LearningOptions& options, const TrainingPlan& plan, double passes,
                                  bool silent) {
  TrainingInput input;
  if (!options.table.path.empty()) {
    Table table = read_rows(options);
    Target target = make_target(table, options.problem.loss);
    input = make_training_input(std::move(table), std::move(target), table_plan(options, plan, passes));
    report_groups(input, silent);
  } else {
    GramData data = read_gram_data(options.grams, options.problem.threads);
    input.target = gram_target(data, options);
    input.bank = std::move(data.bank);
    input.sample_weights = std::move(data.weights);
  }
  if (interrupted()) throw Interrupted();
  return input;
}

std::unique_ptr<Dataset> read_dataset(const LearningOptions& options, const TrainingPlan& plan, double passes) {
  if (!options.table.path.empty()) {
    Table table = read_rows(options);
    Target target = make_target(table, options.problem.loss);
    return make_table_dataset(std::move(table), std::move(target), table_plan(options, plan, passes));
  }
  GramData data = read_gram_data(options.grams, options.problem.threads);
  Target target = gram_target(data, options);
  return make_gram_dataset(std::move(data.bank), std::move(target), std::move(data.weights));
}

void report_groups(const TrainingInput& input, bool silent) {
  if (silent || !input.table || input.table->groups.n_absent == 0) return;
  const GroupSummary& groups = input.table->groups;
  fmt::print(stderr,
             "spicymkl: {} of {} group members are not columns of the table (such as '{}'); {} groups left out\n",
             groups.n_absent, groups.n_members, groups.absent_examples.empty() ? "" : groups.absent_examples.front(),
             groups.dropped_groups.size());
}

}  // namespace spicymkl::cli
