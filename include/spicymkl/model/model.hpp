// What is kept of a training run.
#pragma once

#include "spicymkl/model/gram_repair.hpp"
#include "spicymkl/model/survival.hpp"
#include "spicymkl/model/table_model.hpp"

namespace spicymkl {

struct Model {
  static constexpr int kFormatVersion = 4;  ///< of files, the newest that is read

  /// Two or more classes; empty for numbers and for survival times. Two classes have one fit, in which the second is
  /// +1; more have one fit each, that class against the rest, or one for all of them, with an output for each.
  std::vector<std::string> classes;
  /// Of several targets of numbers the names; empty: there is one. They have a fit each, or one for all of them, with
  /// an output for each.
  std::vector<std::string> targets;
  std::vector<Fit> fits;
  Index n_samples = 0;
  std::vector<std::string> kernel_names;  ///< of all M kernels
  Vector sample_weights;                  ///< empty when all are 1
  Covariates covariates = {};             ///< of the training rows
  double tol = 0;
  double seconds_input = 0;          ///< reading, checking and computing kernels
  std::optional<TableModel> table;   ///< none: trained on precomputed Gram matrices
  GramRepair repair;                 ///< of precomputed Gram matrices
  std::optional<Survival> survival;  ///< of survival times

  Index n_kernels() const { return std::ssize(kernel_names); }
  /// Columns of scores: the outputs of all fits.
  Index n_outputs() const;
  /// What the fits are of, "class" or "target", where there are several.
  std::string fits_are_of() const { return targets.empty() ? "class" : "target"; }
  /// That of its file: 4 for survival times and where there are covariates, 3 where a fit has several outputs or there
  /// are several targets, 2 where there are sources, which older programs would pass over, else 1.
  int format_version() const;
  bool is_classification() const { return !classes.empty(); }
  bool is_survival() const { return survival.has_value(); }
  bool converged() const;
  /// "converged" if all fits did, else the status of the first that did not.
  std::string status() const;
  double seconds() const;
};

}  // namespace spicymkl
