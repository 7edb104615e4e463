// Kernels whose Gram matrices are on a device: it answers every question, and vectors alone travel.
#pragma once

#include "gram_store.hpp"
#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class DeviceBank final : public KernelBank, public KernelMixtures {
 public:
  /// Names and traces of all kernels.
  struct Labels {
    std::vector<std::string> names;
    Vector traces;
  };

  DeviceBank(GramStore store, Labels labels, int threads, Watch watch);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return labels_.traces(kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override;
  /// Kept on the device, as far as there is room.
  KernelSubsets subsets() const override;
  /// Null where the device has no room for them.
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double missing_trace(Index kernel) const override;
  std::string name(Index kernel) const override { return labels_.names[kernel]; }
  std::vector<BankUse> use() const override;
  /// Where there is room for them.
  const KernelMixtures* mixtures() const override;
  std::unique_ptr<KernelMixture> mixture(KernelSet set, ConstVectorRef weights) const override;

  const GramStore& store() const { return store_; }

 private:
  GramStore store_;
  Labels labels_;
};

/// Names as the kernels have them, traces by their diagonals.
DeviceBank::Labels labels_of(const GramSource& source);
/// Traces as the matrices have them.
Vector traces_of(const GramStore& store);

}  // namespace spicymkl
