// One kernel made of many: K = Σ_m weights_m K_m, answered through the bank that holds the K_m.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class CombinedBank final : public KernelBank, public KernelSums {
 public:
  /// `base` must outlive this bank.
  CombinedBank(const KernelBank& base, std::vector<Index> kernels, Vector weights);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  double missing_trace(Index kernel) const override;
  std::string name(Index) const override { return "combination"; }
  std::vector<BankUse> use() const override { return base_.use(); }
  const KernelSums* sums() const override { return base_.sums() ? this : nullptr; }
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;

 private:
  const KernelBank& base_;
  std::vector<Index> kernels_;
  Vector weights_;
};

}  // namespace spicymkl
