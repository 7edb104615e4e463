#include "combined_bank.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

class CombinedNewtonSystem final : public NewtonSystem {
 public:
  CombinedNewtonSystem(std::unique_ptr<NewtonSystem> base, const std::vector<Index>& kernels, const Vector& weights)
      : base_(std::move(base)), kernels_(kernels), weights_(weights) {}

  bool factor(const NewtonTerms& terms) override {
    if (terms.kernels.empty()) return base_->factor({{}, terms.weights, terms.diagonal, terms.low_rank, terms.n_added});
    const Vector scaled = terms.weights(0) * weights_;
    return base_->factor({kernels_, scaled, terms.diagonal, terms.low_rank, terms.n_added});
  }

  void solve(MatrixRef rhs) override { base_->solve(rhs); }

 private:
  std::unique_ptr<NewtonSystem> base_;
  const std::vector<Index>& kernels_;
  const Vector& weights_;
};

}  // namespace

CombinedBank::CombinedBank(const KernelBank& base, std::vector<Index> kernels, Vector weights)
    : KernelBank(base.watch(), base.work_bytes()),
      base_(base),
      kernels_(std::move(kernels)),
      weights_(std::move(weights)) {}

void CombinedBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k) base_.weighted_product(kernels_, weights_, v, out.col(k));
}

void CombinedBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  Vector product(n_samples());
  base_.weighted_product(kernels_, weights_, v, product);
  out.head(static_cast<Index>(set.size())).setConstant(std::max(v.dot(product), 0.0));
}

void CombinedBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const {
  if (set.empty()) {
    out.setZero();
    return;
  }
  base_.weighted_product(kernels_, weights_, v, out);
  out *= weights.sum();
}

void CombinedBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  if (!set.empty()) base_.add_weighted_sum(kernels_, weights.sum() * weights_, A);
}

std::unique_ptr<NewtonSystem> CombinedBank::make_newton_system() const {
  return std::make_unique<CombinedNewtonSystem>(base_.make_newton_system(), kernels_, weights_);
}

double CombinedBank::trace(Index) const {
  double sum = 0;
  for (std::size_t k = 0; k < kernels_.size(); ++k) sum += weights_(static_cast<Index>(k)) * base_.trace(kernels_[k]);
  return sum;
}

double CombinedBank::eigenvalue_bound(Index) const {
  double sum = 0;
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    sum += weights_(static_cast<Index>(k)) * base_.eigenvalue_bound(kernels_[k]);
  return sum;
}

}  // namespace spicymkl
