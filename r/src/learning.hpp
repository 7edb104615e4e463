// What fits, paths and cross-validations have in common: samples, what is learned from them, and how.
#pragma once

#include <optional>

#include "pipeline/training_options.hpp"
#include "spicymkl/device/device.hpp"
#include "spicymkl/selection/dataset.hpp"
#include "watch.hpp"

namespace spicymkl::r {

/// A table, or Gram matrices, which are read where R has them.
struct Learning {
  std::optional<Table> table;
  std::shared_ptr<const DenseBank> grams;
  std::vector<TinyNegative> tolerated;  ///< of the Gram matrices
  Vector weights;                       ///< of the Gram matrices' samples; a table has its own
  PsdMethod psd = PsdMethod::refuse;
  Target target;
  ProblemOptions problem;
  KernelOptions kernels;
  std::shared_ptr<const Device> device;  ///< null: the processor
  TrainingPlan plan;
  std::vector<std::string> cautions;  ///< on the data, a sentence each

  /// These two take the samples along; `points` is the number of strengths that will be solved.
  TrainingInput take_input(double points);
  std::unique_ptr<Dataset> take_dataset(double points);
  TablePlan table_plan(double points) const;
};

/// `data` and `y` are what as_data() and as_response() of the R code make. What is wrong with them or with the options
/// is an InputError.
Learning read_learning(const Rcpp::List& data, const Rcpp::List& y, const Rcpp::List& options, const FitWatch& watch);

/// Of the options.
double max_seconds(const Rcpp::List& options);

/// The columns of a table as the R code hands them over.
Table read_table(const Rcpp::List& data);

/// What the user should know of the data, a sentence each.
std::vector<std::string> notes(const TrainingInput& input);

}  // namespace spicymkl::r
