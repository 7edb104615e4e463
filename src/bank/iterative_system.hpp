// A Newton matrix that is never assembled: products with the kernels, and a preconditioner of few of their columns.
#pragma once

#include "factored_system.hpp"
#include "owned_terms.hpp"

namespace spicymkl {

/// Preconditioned conjugate gradients. The preconditioner is D + LLᵀ + U₊U₊ᵀ, where L holds the columns of a Cholesky
/// factorisation of ΣwK, those pivots first that are largest beside their own diagonal entry, and D has what these
/// leave of the diagonal. Takes a few vectors per column; every product reads or computes all kernels of the system.
class IterativeNewtonSystem final : public NewtonSystem {
 public:
  explicit IterativeNewtonSystem(const KernelBank& bank) : bank_(bank) {}

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;

 private:
  void precondition(Vector& v) const;
  /// L, and in `remaining` the diagonal of ΣwK − LLᵀ.
  Matrix leading_columns(Vector& remaining) const;

  const KernelBank& bank_;
  OwnedTerms terms_;  // of the present step
  FactoredSystem leading_;
  bool has_leading_ = false;  // else the diagonal of the whole matrix is the preconditioner
  Vector whole_diagonal_;
};

}  // namespace spicymkl
