// Several banks seen as one: each kernel lives where it is cheapest.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class CompositeBank final : public KernelBank {
 public:
  struct Place {
    Index part;
    Index kernel;  ///< its number there
  };
  /// places[m] says where kernel m lives.
  CompositeBank(std::vector<std::shared_ptr<const KernelBank>> parts, std::vector<Place> places);

  Index n_samples() const override { return parts_.front()->n_samples(); }
  Index n_kernels() const override { return static_cast<Index>(places_.size()); }
  std::string name(Index kernel) const override;
  void products(KernelSet set, ConstVectorRef v, MatrixRef out) const override;
  void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const override;
  void weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const override;
  bool has_columns() const override;
  void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const override;
  void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const override;
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  std::shared_ptr<const KernelBank> subset(std::vector<Index> kernels, const KernelBank* previous) const override;
  std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const override;
  double trace(Index kernel) const override;
  double eigenvalue_bound(Index kernel) const override;
  bool exact() const override;
  double missing_trace(Index kernel) const override;
  Index quick_subset() const override;
  Index rank(Index kernel) const override;
  void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const override;
  std::vector<BankUse> use() const override;
  int threads() const override { return parts_.front()->threads(); }

 private:
  /// The part of a set that lives in one bank.
  struct Share {
    std::vector<Index> kernels;    ///< numbers in the part
    std::vector<Index> positions;  ///< in the set
  };
  std::vector<Share> shares(KernelSet set) const;
  /// out = the sum of what ask(bank, kernels, their weights, part) puts into `part`, over the parts.
  template <class Ask>
  void add_up(KernelSet set, ConstVectorRef weights, VectorRef out, const Ask& ask) const;
  const Place& place(Index kernel) const { return places_[static_cast<std::size_t>(kernel)]; }

  std::vector<std::shared_ptr<const KernelBank>> parts_;
  std::vector<Place> places_;
};

}  // namespace spicymkl
