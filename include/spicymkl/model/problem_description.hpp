// The problem that was solved, in the words of the command line and of Python.
#pragma once

#include <memory>
#include <string>

#include "spicymkl/loss/loss.hpp"
#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

struct ProblemDescription {
  std::string loss = "logistic";
  std::string penalty = "block1";
  double alpha = 0;
  double l1_ratio = 0.5;
  double q = 1.5;
  double epsilon = 0.1;
  double quantile = 0.5;
  bool fit_intercept = true;

  std::shared_ptr<const Loss> make_loss() const;
  std::shared_ptr<const Regularizer> make_regularizer() const;
};

}  // namespace spicymkl
