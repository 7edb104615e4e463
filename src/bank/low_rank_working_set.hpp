// Some kernels of a low-rank bank, while a solver works on them: products by factors, sums by dense matrices where the
// factors are wide.
#pragma once

#include <map>

#include "low_rank_bank.hpp"
#include "spicymkl/bank/forwarding_bank.hpp"

namespace spicymkl {

/// Adding a dense matrix reads n²/2 numbers, adding a factor of r columns takes n²·r/2 multiplications: from some r on
/// the former is quicker. A matrix is made when its kernel is first part of a sum. Not for several threads at a time.
class LowRankWorkingSet final : public ForwardingBank {
 public:
  using Matrices = std::map<Index, Matrix>;  // lower triangles, by number in the base

  /// `matrices` is shared with earlier sets: those that are there already are used. `base` must outlive this bank.
  LowRankWorkingSet(const LowRankBank& base, std::vector<Index> kernels, std::shared_ptr<Matrices> matrices);

  void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const override;
  std::unique_ptr<NewtonSystem> make_newton_system() const override { return KernelBank::make_newton_system(); }

 private:
  bool worth_a_matrix(Index kernel_of_base) const;
  const double* matrix(Index kernel_of_base) const;

  const LowRankBank& base_;
  std::shared_ptr<Matrices> matrices_;
};

}  // namespace spicymkl
