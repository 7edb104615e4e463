// One solved problem: a regression, two classes, or one class against the rest.
#pragma once

#include <string>

#include "spicymkl/model/problem_description.hpp"
#include "spicymkl/solver/result.hpp"

namespace spicymkl {

struct Fit {
  std::string positive_class;  ///< the class whose label is +1; empty for a regression
  ProblemDescription problem;
  Expansion expansion;  ///< its dual vector has one entry per training row and output
  Certificate certificate;
  std::string status;
  std::string message;
  int iterations = 0;
  int newton_steps = 0;
  double seconds = 0;               ///< training alone: from kernels in memory to the certified answer
  Stages stages;                    ///< the way there
  std::string computed_on = "cpu";  ///< who computed the certificate, as the bank has it

  /// Of each row of the training table; 1 but for several classes or targets that are learned together.
  Index n_outputs() const { return expansion.unpenalised.cols(); }
  double intercept(Index output = 0) const {
    return problem.fit_intercept && expansion.unpenalised.rows() > 0 ? expansion.unpenalised(0, output) : 0;
  }
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

/// The fit of a finished run.
Fit make_fit(std::string positive_class, const ProblemDescription& problem, Result result);

}  // namespace spicymkl
