// From Octave's arguments to what the library learns from: options, samples, what is learned.
#pragma once

#include "given_options.hpp"
#include "pipeline/given_parameters.hpp"
#include "pipeline/training_options.hpp"
#include "spicymkl/selection/dataset.hpp"

namespace spicymkl::octave {

/// What train, path and cv share.
struct LearningOptions {
  ProblemOptions problem;
  KernelOptions kernels;
  std::string psd = "refuse";
  Vector weights;                    ///< empty: all 1
  Vector event;                      ///< of survival times, which are y; empty: y is something else
  std::vector<std::string> columns;  ///< names of the table's columns; empty: x0, x1, …
  bool verbose = false;
  GivenParameters given;

  /// Kernels that were asked for are those of a table.
  bool from_table() const { return given.names.contains("kernels"); }
};

/// Reads the fields that all functions have; `left_out` are options of the library's tables that this one has not.
LearningOptions read_learning_options(GivenOptions& given, const std::vector<std::string>& left_out = {});

/// When options have an effect.
struct OptionRule {
  std::vector<std::string> options;
  bool applies;
  std::string otherwise;  ///< what ends the sentence "options.psd has no effect …"
};

/// An option that was given although its rule does not apply is an InputError.
void refuse_unused(const LearningOptions& options, const std::vector<OptionRule>& rules);

/// The plan, after all that can be checked before the data are looked at.
TrainingPlan check_options(const LearningOptions& options);

/// Samples, and what is to be learned from them.
struct LearningData {
  std::optional<Table> table;  ///< none: precomputed kernels
  std::shared_ptr<const DenseBank> grams;
  PsdMethod psd = PsdMethod::refuse;
  std::vector<TinyNegative> tolerated;
  Vector weights;  ///< of precomputed kernels; empty: all 1
  Target target;
};

/// `samples` are N×N×M kernels or a cell array of N×N kernels, which are read where they are, or a table of N rows.
LearningData read_data(const mxArray* samples, const mxArray* y, const LearningOptions& options, const Watch& watch);

/// Computes the kernels of a table, for one fit or, with `passes` times as many readings, for more.
TrainingInput make_input(LearningData data, const LearningOptions& options, const TrainingPlan& plan, double passes);

/// For cross-validation.
std::unique_ptr<Dataset> make_dataset(LearningData data, const LearningOptions& options, const TrainingPlan& plan,
                                      double passes);

/// What the user should know of how the samples were taken.
std::vector<std::string> notes_of(const TrainingInput& input);

}  // namespace spicymkl::octave
