// What is kept of a training run.
#pragma once

#include "spicymkl/model/gram_repair.hpp"
#include "spicymkl/model/table_model.hpp"

namespace spicymkl {

struct Model {
  static constexpr int kFormatVersion = 4;  ///< of files, the newest that is read

  /// Two or more classes; empty for a regression. Two classes have one fit, in which the second is +1; more have one
  /// fit each, that class against the rest, or one for all of them, with an output for each.
  std::vector<std::string> classes;
  std::vector<Fit> fits;
  Index n_samples = 0;
  std::vector<std::string> kernel_names;  ///< of all M kernels
  Vector sample_weights;                  ///< empty when all are 1
  Covariates covariates = {};             ///< of the training rows
  double tol = 0;
  double seconds_input = 0;         ///< reading, checking and computing kernels
  std::optional<TableModel> table;  ///< none: trained on precomputed Gram matrices
  GramRepair repair;                ///< of precomputed Gram matrices

  Index n_kernels() const { return std::ssize(kernel_names); }
  /// Columns of scores: the outputs of all fits.
  Index n_outputs() const;
  /// That of its file: 4 where there are covariates, 3 where a fit has several outputs, 2 where there are sources,
  /// which older programs would pass over, else 1.
  int format_version() const;
  bool is_classification() const { return !classes.empty(); }
  bool converged() const;
  /// "converged" if all fits did, else the status of the first that did not.
  std::string status() const;
  double seconds() const;
};

}  // namespace spicymkl
