// The problem that was solved, in the words of the command line and of Python.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "spicymkl/loss/loss.hpp"
#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

/// The penalty of a given strength.
using RegularizerFamily = std::function<std::shared_ptr<const Regularizer>(double alpha)>;

struct ProblemDescription {
  std::string loss = "logistic";
  std::string penalty = "block1";
  double alpha = 0;
  double l1_ratio = RegularizerParameters{}.l1_ratio;
  double q = RegularizerParameters{}.q;
  double epsilon = LossParameters{}.epsilon;
  double quantile = LossParameters{}.quantile;
  bool fit_intercept = true;
  /// A loss or a penalty of your own, which takes the place of the one that is named and which no file can hold.
  std::shared_ptr<const Loss> own_loss = nullptr;
  RegularizerFamily own_penalty = nullptr;

  std::shared_ptr<const Loss> make_loss() const;
  std::shared_ptr<const Regularizer> make_regularizer() const;
  ProblemDescription with_alpha(double strength) const;
};

/// A parameter of losses or penalties, by the name that users type.
struct ProblemParameter {
  std::string name;
  double ProblemDescription::*member;
};
const std::vector<ProblemParameter>& problem_parameters();

/// "huber, epsilon 0.1": with the parameters that it takes.
std::string loss_text(const ProblemDescription& problem);
std::string penalty_text(const ProblemDescription& problem);

}  // namespace spicymkl
