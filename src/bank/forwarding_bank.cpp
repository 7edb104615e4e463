#include "spicymkl/bank/forwarding_bank.hpp"

namespace spicymkl {

namespace {

class ForwardingNewtonSystem final : public NewtonSystem {
 public:
  ForwardingNewtonSystem(const ForwardingBank& bank, std::unique_ptr<NewtonSystem> base)
      : bank_(bank), base_(std::move(base)) {}

  bool factor(const NewtonTerms& terms) override {
    const std::vector<Index> kernels = bank_.in_base(terms.kernels);
    return base_->factor({kernels, terms.weights, terms.diagonal, terms.low_rank, terms.n_added, terms.nested});
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
  const ForwardingBank& bank_;
  std::unique_ptr<NewtonSystem> base_;
};

BankShape with_kernels(BankShape shape, const std::vector<Index>& kernels) {
  shape.n_kernels = std::ssize(kernels);
  return shape;
}

}  // namespace

ForwardingBank::ForwardingBank(const KernelBank& base, std::vector<Index> kernels)
    : KernelBank(with_kernels(base.shape(), kernels)), base_(base), kernels_(std::move(kernels)) {}

ForwardingBank::ForwardingBank(std::shared_ptr<const KernelBank> base, std::vector<Index> kernels)
    : ForwardingBank(*base, std::move(kernels)) {
  owned_ = std::move(base);
}

std::vector<Index> ForwardingBank::in_base(KernelSet set) const {
  std::vector<Index> kernels;
  kernels.reserve(set.size());
  for (const Index kernel : set) kernels.push_back(in_base(kernel));
  return kernels;
}

void ForwardingBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  base_.products(in_base(set), V, out);
}

void ForwardingBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  base_.weighted_diagonal(in_base(set), weights, out);
}

void ForwardingBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  base_.quadratic_forms(in_base(set), V, out);
}

void ForwardingBank::joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const {
  base_.joint_forms(in_base(set), V, together, out);
}

void ForwardingBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  base_.weighted_product(in_base(set), weights, V, out);
}

void ForwardingBank::rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  base_.factors()->rough_product(in_base(set), weights, V, out);
}

std::unique_ptr<NewtonSystem> ForwardingBank::make_newton_system() const {
  return std::make_unique<ForwardingNewtonSystem>(*this, base_.make_newton_system());
}

std::shared_ptr<const KernelBank> ForwardingBank::on_samples(const std::vector<Index>& rows) const {
  std::shared_ptr<const KernelBank> base = base_.on_samples(rows);
  return base == nullptr ? nullptr : std::make_shared<ForwardingBank>(std::move(base), kernels_);
}

void ForwardingBank::column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  base_.columns()->column(in_base(set), weights, i, out);
}

void ForwardingBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  base_.factors()->weighted_factor(in_base(set), weights, columns);
}

void ForwardingBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  base_.sums()->add_sum(in_base(set), weights, A);
}

void ForwardingBank::add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const {
  base_.sums()->add_rough_sum(in_base(set), weights, A);
}

bool ForwardingBank::has_quick_rough_sums() const { return base_.sums()->has_quick_rough_sums(); }

std::unique_ptr<KernelMixture> ForwardingBank::mixture(KernelSet set, ConstVectorRef weights) const {
  return base_.mixtures()->mixture(in_base(set), weights);
}

}  // namespace spicymkl
