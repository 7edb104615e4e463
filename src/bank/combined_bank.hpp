// One kernel made of many: K = Σ_m weights_m K_m, answered through the bank that holds the K_m.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class CombinedBank final : public KernelBank {
 public:
  /// `base` must outlive this bank.
  CombinedBank(const KernelBank& base, std::vector<Index> kernels, Vector weights);

  Index n_samples() const override { return base_.n_samples(); }
  Index n_kernels() const override { return 1; }
  std::string name(Index) const override { return "combination"; }
  void products(KernelSet set, ConstVectorRef v, MatrixRef out) const override;
  void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const override;
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  double trace(Index kernel) const override;
  double eigenvalue_bound(Index kernel) const override;
  bool exact() const override { return base_.exact(); }
  std::vector<BankUse> use() const override { return base_.use(); }
  int threads() const override { return base_.threads(); }

 private:
  const KernelBank& base_;
  std::vector<Index> kernels_;
  Vector weights_;
};

}  // namespace spicymkl
