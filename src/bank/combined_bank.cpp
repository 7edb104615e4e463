#include "combined_bank.hpp"

namespace spicymkl {

namespace {

class CombinedNewtonSystem final : public NewtonSystem {
 public:
  CombinedNewtonSystem(std::unique_ptr<NewtonSystem> base, const std::vector<Index>& kernels, const Vector& weights)
      : base_(std::move(base)), kernels_(kernels), weights_(weights) {}

  bool factor(const NewtonTerms& terms) override {
    if (terms.kernels.empty())
      return base_->factor({{}, terms.weights, terms.diagonal, terms.low_rank, terms.n_added, terms.nested});
    const Vector scaled = terms.weights(0) * weights_;
    return base_->factor({kernels_, scaled, terms.diagonal, terms.low_rank, terms.n_added, terms.nested});
  }

  bool takes_nested_sums() const override { return base_->takes_nested_sums(); }

  void solve(MatrixRef rhs) override { base_->solve(rhs); }
  void solve_roughly(MatrixRef rhs) override { base_->solve_roughly(rhs); }
  void solve_within(const DualConstraints& constraints, MatrixRef workspace, MatrixRef multipliers,
                    Digits digits) override {
    base_->solve_within(constraints, workspace, multipliers, digits);
  }
  std::shared_ptr<const RoughCholesky> hand_on() const override { return base_->hand_on(); }
  void take_over(std::shared_ptr<const RoughCholesky> factor) override { base_->take_over(std::move(factor)); }

 private:
  std::unique_ptr<NewtonSystem> base_;
  const std::vector<Index>& kernels_;
  const Vector& weights_;
};

}  // namespace

CombinedBank::CombinedBank(const KernelBank& base, std::vector<Index> kernels, Vector weights)
    : KernelBank({base.n_samples(), 1, base.threads(), base.watch(), base.work_bytes(), base.n_outputs()}),
      base_(base),
      kernels_(std::move(kernels)),
      weights_(std::move(weights)) {}

void CombinedBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  for (Index k = 0; k < std::ssize(set); ++k)
    base_.weighted_product(kernels_, weights_, V, out.middleCols(k * V.cols(), V.cols()));
}

void CombinedBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  if (!set.empty()) base_.weighted_diagonal(kernels_, weights.sum() * weights_, out);
}

double CombinedBank::trace(Index) const {
  double sum = 0;
  for (Index k = 0; k < weights_.size(); ++k) sum += weights_(k) * base_.trace(kernels_[k]);
  return sum;
}

void CombinedBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  out.setZero();
  if (set.empty()) return;
  base_.weighted_product(kernels_, weights_, V, out);
  out *= weights.sum();
}

std::unique_ptr<NewtonSystem> CombinedBank::make_newton_system() const {
  return std::make_unique<CombinedNewtonSystem>(base_.make_newton_system(), kernels_, weights_);
}

double CombinedBank::missing_trace(Index) const {
  double sum = 0;
  for (Index k = 0; k < weights_.size(); ++k) sum += weights_(k) * base_.missing_trace(kernels_[k]);
  return sum;
}

void CombinedBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  if (!set.empty()) base_.sums()->add_sum(kernels_, weights.sum() * weights_, A);
}

}  // namespace spicymkl
