// Several banks seen as one: each kernel lives where it is cheapest.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class CompositeBank final : public KernelBank, public KernelColumns, public KernelFactors, public KernelSums {
 public:
  struct Place {
    Index part;
    Index kernel;  ///< its number there
  };
  /// places[m] says where kernel m lives. Every part has some.
  CompositeBank(std::vector<std::shared_ptr<const KernelBank>> parts, std::vector<Place> places, double work_bytes);

  void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  double trace(Index kernel) const override { return home(kernel).trace(place(kernel).kernel); }
  void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const override;
  void joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  KernelSubsets subsets() const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double missing_trace(Index kernel) const override { return home(kernel).missing_trace(place(kernel).kernel); }
  std::string name(Index kernel) const override { return home(kernel).name(place(kernel).kernel); }
  std::vector<BankUse> use() const override;

  const KernelColumns* columns() const override;
  void column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  const KernelFactors* factors() const override { return this; }
  Index factor_width(Index kernel) const override { return home(kernel).rank(place(kernel).kernel); }
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override;
  void rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const override;
  const KernelSums* sums() const override;
  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  void add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const override;
  bool has_quick_rough_sums() const override;

 private:
  /// The part of a set that lives in one bank.
  struct Share {
    const KernelBank* bank;
    std::vector<Index> kernels;    ///< numbers in the bank
    std::vector<Index> positions;  ///< in the set
    Index size() const { return std::ssize(kernels); }
  };
  /// Of the parts that have kernels of the set.
  std::vector<Share> shares(KernelSet set) const;
  /// out = the sum of what ask(share, its weights, part) puts into `part`, over the shares.
  template <class Ask>
  void add_up(KernelSet set, ConstVectorRef weights, MatrixRef out, const Ask& ask) const;
  std::shared_ptr<const KernelBank> subset_of(KernelSet kernels, const std::vector<KernelSubsets>& of_parts) const;
  const Place& place(Index kernel) const { return places_[kernel]; }
  const KernelBank& home(Index kernel) const { return *parts_[place(kernel).part]; }

  std::vector<std::shared_ptr<const KernelBank>> parts_;
  std::vector<Place> places_;
};

}  // namespace spicymkl
