#include "weighted_sum.hpp"

namespace spicymkl {

namespace {

constexpr double kRounding = 1e-15;  // of the largest weight: what a difference must exceed to be one

}  // namespace

WeightedSum::WeightedSum(const KernelBank& bank)
    : bank_(&bank),
      weights_(Vector::Zero(bank.n_kernels())),
      matrix_(Matrix::Zero(bank.n_samples(), bank.n_samples())) {}

void WeightedSum::add(const Vector& weights) {
  std::vector<Index> set;
  for (Index m = 0; m < weights.size(); ++m)
    if (weights(m) != 0) set.push_back(m);
  bank_->add_weighted_sum(set, Vector(weights(set)), matrix_);
}

void WeightedSum::set(const Vector& weights) {
  const double rounding = kRounding * weights.cwiseAbs().maxCoeff();
  const Vector change = (weights - weights_).unaryExpr([&](double w) { return std::abs(w) > rounding ? w : 0; });
  if ((change.array() != 0).count() < (weights.array() != 0).count()) {
    add(change);
  } else {
    matrix_.setZero();
    add(weights);
  }
  weights_ = weights;
}

WeightedSum WeightedSum::moved(double step, const WeightedSum& direction) const {
  WeightedSum sum = *this;
  sum.weights_ += step * direction.weights_;
  sum.matrix_ += step * direction.matrix_;
  return sum;
}

}  // namespace spicymkl
