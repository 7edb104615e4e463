// Some kernels of an on-the-fly bank, computed once and kept as dense matrices while a working set needs them.
#pragma once

#include <map>

#include "on_the_fly_bank.hpp"
#include "spicymkl/bank/dense_bank.hpp"

namespace spicymkl {

class MaterializedBank final : public KernelBank {
 public:
  explicit MaterializedBank(const Watch& watch) : KernelBank(watch) {}
  /// Matrices that `previous` (may be null) holds already are shared with it, the others computed.
  static std::shared_ptr<const MaterializedBank> of(const OnTheFlyBank& source, std::vector<Index> kernels,
                                                    const MaterializedBank* previous);

  Index n_samples() const override { return dense_->n_samples(); }
  Index n_kernels() const override { return dense_->n_kernels(); }
  std::string name(Index kernel) const override { return dense_->name(kernel); }
  void products(KernelSet set, ConstVectorRef v, MatrixRef out) const override { dense_->products(set, v, out); }
  void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const override {
    dense_->quadratic_forms(set, v, out);
  }
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const override {
    dense_->weighted_product(set, weights, v, out);
  }
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override {
    dense_->add_weighted_sum(set, weights, A);
  }
  bool has_columns() const override { return true; }
  void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override {
    dense_->weighted_column(set, weights, i, out);
  }
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override {
    dense_->weighted_diagonal(set, weights, out);
  }
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override {
    return dense_->on_samples(rows);
  }
  double trace(Index kernel) const override { return dense_->trace(kernel); }
  double eigenvalue_bound(Index kernel) const override { return dense_->eigenvalue_bound(kernel); }
  std::vector<BankUse> use() const override { return dense_->use(); }
  int threads() const override { return dense_->threads(); }

 private:
  std::map<Index, std::shared_ptr<const Matrix>> grams_;  // by number in the source
  std::unique_ptr<DenseBank> dense_;                      // over these matrices
};

}  // namespace spicymkl
