// What train, path and cv learn from: a table, or Gram matrices.
#pragma once

#include "options.hpp"
#include "spicymkl/pipeline/training_options.hpp"
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

/// Reads the rows and computes their kernels, for one fit or, with `passes` times as many readings, for more.
TrainingInput read_training_input(const LearningOptions& options, const TrainingPlan& plan, double passes, bool silent);

/// Reads the rows, for cross-validation.
std::unique_ptr<Dataset> read_dataset(const LearningOptions& options, const TrainingPlan& plan, double passes);

/// Tells of group members that the table does not have.
void report_groups(const TrainingInput& input, bool silent);

}  // namespace spicymkl::cli
