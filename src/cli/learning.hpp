// What train, path and cv learn from: a table, or Gram matrices.
#pragma once

#include "file_roles.hpp"
#include "gram_data.hpp"
#include "option_rules.hpp"
#include "options.hpp"
#include "pipeline/explanation.hpp"
#include "pipeline/training_options.hpp"
#include "report/request.hpp"
#include "spicymkl/selection/dataset.hpp"
#include "table_input.hpp"

namespace spicymkl::cli {

struct LearningOptions {
  TableInput table;
  KernelOptions kernels;
  GramInput grams;
  ProblemOptions problem;
  bool explain = false;
  const CLI::App* app = nullptr;  ///< knows which of them were given

  bool from_table() const { return table.given(); }
  /// "auto", which leaves the choice to us, may be written out where there is none.
  bool leaves_multi_class() const { return problem.multi_class == "auto"; }
};

/// `left_out` are options of the library's tables that the command does not have.
void add_learning_options(CLI::App& app, LearningOptions& options, const std::vector<std::string>& left_out = {});

CLI::Option* add_explain_option(CLI::App& app, LearningOptions& options);

/// The plan, after all that can be checked before reading anything. `rules` are those of the command beside the rules
/// of the options above.
TrainingPlan check_options(const LearningOptions& options, const std::vector<OptionRule>& rules);

/// The files that are read.
FileRoles input_files(const LearningOptions& options);

/// Rows as they were read: a table, or Gram matrices.
struct LearningSource {
  std::optional<Table> table;
  std::optional<GramData> grams;
  Target target;
  DataSummary summary;  ///< what a report says of the rows
};

/// Says what was assumed of the rows, unless `silent`. `watch` is that of precomputed kernels.
LearningSource read_source(const LearningOptions& options, const Watch& watch, bool silent);

/// Computes the kernels of the rows, for one fit or, with `passes` times as many readings, for more.
TrainingInput make_input(LearningSource source, const LearningOptions& options, const TrainingPlan& plan, double passes,
                         bool silent);

/// Says what a cross-validation will take, before make_dataset takes the rows.
void forecast_cv(const LearningSource& source, const LearningOptions& options, const TrainingPlan& plan, int n_folds,
                 double n_points, bool silent);

/// Prints what the command would do and take, for `n_points` strengths and shapes of the penalty and `n_folds` folds,
/// and returns its exit status. Computes no kernel.
int explain(const LearningOptions& options, const OutputOptions& output, const TrainingPlan& plan, Index n_points = 1,
            Index n_folds = 0);

/// Of the presets to try, those that differ on the columns of the kernels; none where there is nothing to choose.
std::vector<std::string> presets_for(std::vector<std::string> presets, const LearningSource& source,
                                     const LearningOptions& options);

/// For cross-validation and studies.
std::unique_ptr<Dataset> make_dataset(LearningSource source, const LearningOptions& options, const TrainingPlan& plan,
                                      double passes);

/// What a report says was asked; `what` is what the command did, such as "Training".
TrainingRequest request_of(const LearningOptions& options, const std::string& what);

/// Says what the user should know of precomputed kernels.
void report_grams(const TrainingInput& input, bool silent);

}  // namespace spicymkl::cli
