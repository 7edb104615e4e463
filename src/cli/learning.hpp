// What train, path and cv learn from: a table, or Gram matrices.
#pragma once

#include "gram_data.hpp"
#include "options.hpp"
#include "spicymkl/pipeline/training_options.hpp"
#include "spicymkl/report/report.hpp"
#include "spicymkl/selection/dataset.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

struct LearningOptions {
  TableInput table;
  KernelOptions kernels;
  GramInput grams;
  ProblemOptions problem;
};

/// `left_out` are options of the library's tables that the command does not have.
void add_learning_options(CLI::App& app, LearningOptions& options, const std::vector<std::string>& left_out = {});

/// The plan, after all that can be checked before reading anything. `command` is named in messages.
TrainingPlan check_options(const LearningOptions& options, const std::string& command);

/// Rows as they were read: a table, or Gram matrices.
struct LearningSource {
  std::optional<Table> table;
  std::optional<GramData> grams;
  Target target;
  DataSummary summary;  ///< what a report says of the rows
};

/// Tells what was assumed of the rows, unless `silent`.
LearningSource read_source(const LearningOptions& options, bool silent);

/// Computes the kernels of the rows, for one fit or, with `passes` times as many readings, for more.
TrainingInput make_input(LearningSource source, const LearningOptions& options, const TrainingPlan& plan, double passes,
                         bool silent);

/// For cross-validation.
std::unique_ptr<Dataset> make_dataset(LearningSource source, const LearningOptions& options, const TrainingPlan& plan,
                                      double passes);

/// A report with what was asked filled in; `line` is the command as it was typed, `title` what it did, such as
/// "Training".
Report begin_report(const LearningOptions& options, const std::string& line, const std::string& title);

/// Tells of group members that the table does not have, and of mended kernels.
void report_input(const TrainingInput& input, bool silent);

}  // namespace spicymkl::cli
