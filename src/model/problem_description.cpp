#include "spicymkl/model/problem_description.hpp"

namespace spicymkl {

std::shared_ptr<const Loss> ProblemDescription::make_loss() const {
  return spicymkl::make_loss(loss, {epsilon, quantile});
}

std::shared_ptr<const Regularizer> ProblemDescription::make_regularizer() const {
  return spicymkl::make_regularizer(penalty, {alpha, l1_ratio, q});
}

}  // namespace spicymkl
