#include "spicymkl/bank/bank.hpp"

#include "spicymkl/bank/subset_bank.hpp"
#include "spicymkl/core/blas.hpp"

namespace spicymkl {

namespace {

/// Assembles the N×N matrix and factors it.
class AssembledNewtonSystem final : public NewtonSystem {
 public:
  explicit AssembledNewtonSystem(const KernelBank& bank) : bank_(bank), matrix_(bank.n_samples(), bank.n_samples()) {}

  bool factor(const NewtonTerms& terms) override {
    matrix_.setZero();
    matrix_.diagonal() = terms.diagonal;
    bank_.add_weighted_sum(terms.kernels, terms.weights, matrix_);
    const Index n_subtracted = terms.low_rank.cols() - terms.n_added;
    blas::symmetric_rank_k(+1, terms.low_rank.leftCols(terms.n_added), matrix_, bank_.threads());
    blas::symmetric_rank_k(-1, terms.low_rank.rightCols(n_subtracted), matrix_, bank_.threads());
    return blas::cholesky(matrix_, bank_.threads()) && matrix_.diagonal().allFinite();
  }

  void solve(MatrixRef rhs) const override { blas::cholesky_solve(matrix_, rhs); }

 private:
  const KernelBank& bank_;
  Matrix matrix_;
};

}  // namespace

void KernelBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const {
  Matrix all(n_samples(), static_cast<Index>(set.size()));
  products(set, v, all);
  out.noalias() = all * weights;
}

std::unique_ptr<NewtonSystem> KernelBank::make_newton_system() const {
  return std::make_unique<AssembledNewtonSystem>(*this);
}

std::shared_ptr<const KernelBank> KernelBank::on_samples(const std::vector<Index>&) const { return nullptr; }

std::shared_ptr<const KernelBank> KernelBank::subset(std::vector<Index> kernels, const KernelBank*) const {
  return std::make_shared<SubsetBank>(*this, std::move(kernels));
}

}  // namespace spicymkl
