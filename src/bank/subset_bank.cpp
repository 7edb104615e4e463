#include "subset_bank.hpp"

namespace spicymkl {

namespace {

class SubsetNewtonSystem final : public NewtonSystem {
 public:
  SubsetNewtonSystem(const SubsetBank& bank, std::unique_ptr<NewtonSystem> base)
      : bank_(bank), base_(std::move(base)) {}

  bool factor(const NewtonTerms& terms) override {
    const std::vector<Index> kernels = bank_.to_base(terms.kernels);
    return base_->factor({kernels, terms.weights, terms.diagonal, terms.low_rank, terms.n_added});
  }

  void solve(MatrixRef rhs) override { base_->solve(rhs); }

 private:
  const SubsetBank& bank_;
  std::unique_ptr<NewtonSystem> base_;
};

}  // namespace

SubsetBank::SubsetBank(const KernelBank& base, std::vector<Index> kernels)
    : KernelBank(base.watch(), base.work_bytes()), base_(base), kernels_(std::move(kernels)) {}

SubsetBank::SubsetBank(std::shared_ptr<const KernelBank> base, std::vector<Index> kernels)
    : KernelBank(base->watch(), base->work_bytes()),
      owned_(std::move(base)),
      base_(*owned_),
      kernels_(std::move(kernels)) {}

std::shared_ptr<const KernelBank> SubsetBank::on_samples(const std::vector<Index>& rows) const {
  std::shared_ptr<const KernelBank> base = base_.on_samples(rows);
  return base == nullptr ? nullptr : std::make_shared<SubsetBank>(std::move(base), kernels_);
}

std::vector<Index> SubsetBank::to_base(KernelSet set) const {
  std::vector<Index> kernels;
  kernels.reserve(set.size());
  for (const Index kernel : set) kernels.push_back(in_base(kernel));
  return kernels;
}

void SubsetBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  base_.products(to_base(set), v, out);
}

void SubsetBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  base_.quadratic_forms(to_base(set), v, out);
}

void SubsetBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const {
  base_.weighted_product(to_base(set), weights, v, out);
}

void SubsetBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  base_.add_weighted_sum(to_base(set), weights, A);
}

std::unique_ptr<NewtonSystem> SubsetBank::make_newton_system() const {
  return std::make_unique<SubsetNewtonSystem>(*this, base_.make_newton_system());
}

}  // namespace spicymkl
