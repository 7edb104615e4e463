// One solved problem: a regression on one target or several, two classes, or one class against the rest.
#pragma once

#include <string>

#include "spicymkl/model/covariates.hpp"
#include "spicymkl/model/problem_description.hpp"
#include "spicymkl/solver/result.hpp"

namespace spicymkl {

struct Fit {
  std::string positive_class;  ///< the class whose label is +1; empty for a regression
  std::string target;          ///< the one that is learned, where each of several has a fit; else empty
  ProblemDescription problem;
  Expansion expansion;  ///< its dual vector has one entry per training row and output; what is not penalised is in the
                        ///< units of the user
  Index n_covariates = 0;
  Certificate certificate;
  std::string status;
  std::string message;
  int iterations = 0;
  int newton_steps = 0;
  double seconds = 0;               ///< training alone: from kernels in memory to the certified answer
  Stages stages;                    ///< the way there
  std::string computed_on = "cpu";  ///< who computed the certificate, as the bank has it

  /// What tells it from the other fits of its model: the class or the target. Empty where it is the only one.
  const std::string& name() const { return target.empty() ? positive_class : target; }
  /// The same in a sentence: "class setosa", "target age".
  std::string title() const;
  /// Of each row of the training table; 1 but for several classes or targets that are learned together.
  Index n_outputs() const { return expansion.unpenalised.cols(); }
  double intercept(Index output = 0) const {
    return problem.fit_intercept && expansion.unpenalised.rows() > 0 ? expansion.unpenalised(0, output) : 0;
  }
  /// A row per covariate, a column per output.
  Matrix covariate_coef() const { return expansion.unpenalised.bottomRows(n_covariates); }
  /// The dual values of one output.
  Eigen::Ref<const Vector> dual(Index output = 0) const {
    const Index n = expansion.dual.size() / n_outputs();
    return expansion.dual.segment(output * n, n);
  }
  bool converged() const { return status == to_string(Status::converged); }
  /// Weight d_m of each active kernel, in the order of the expansion.
  Vector active_weights() const;
  /// The same for all of n_kernels kernels: 0 where one is not active.
  Vector weights(Index n_kernels) const;
};

/// The fit of a finished run on these covariates.
Fit make_fit(std::string positive_class, const ProblemDescription& problem, Result result,
             const CovariateBasis& covariates = {});

}  // namespace spicymkl
