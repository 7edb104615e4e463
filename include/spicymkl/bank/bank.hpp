// The kernel bank: the one place where size lives. Its operations are all that a solver may ask of the M Gram matrices.
#pragma once

#include <memory>
#include <string>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// The matrix  diag(diagonal) + Σ_k weights_k K_kernels(k) + U₊U₊ᵀ − U₋U₋ᵀ  of a Newton step, where U₊ is the first
/// n_added columns of low_rank and U₋ the others.
struct NewtonTerms {
  KernelSet kernels;
  ConstVectorRef weights;
  ConstVectorRef diagonal;
  ConstMatrixRef low_rank;
  Index n_added;
};

/// Solves Newton systems of one size, reusing its workspace. How is the bank's own business.
class NewtonSystem {
 public:
  virtual ~NewtonSystem() = default;
  /// False when the matrix is not positive definite to working precision; then there is nothing to solve with.
  [[nodiscard]] virtual bool factor(const NewtonTerms& terms) = 0;
  /// rhs ← matrix⁻¹ rhs, column by column.
  virtual void solve(MatrixRef rhs) const = 0;
};

class KernelBank {
 public:
  virtual ~KernelBank() = default;

  virtual Index n_samples() const = 0;
  virtual Index n_kernels() const = 0;
  virtual std::string name(Index kernel) const = 0;

  /// out.col(k) = K_set(k) v
  virtual void products(KernelSet set, ConstVectorRef v, MatrixRef out) const = 0;
  /// out(k) = vᵀ K_set(k) v, never negative.
  virtual void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const = 0;
  /// out = (Σ_k weights_k K_set(k)) v
  virtual void weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const = 0;
  virtual std::unique_ptr<NewtonSystem> make_newton_system() const = 0;

  virtual double trace(Index kernel) const = 0;
  /// An upper bound on the largest eigenvalue of the kernel.
  virtual double eigenvalue_bound(Index kernel) const = 0;
  /// Threads that its operations use.
  virtual int threads() const = 0;
};

}  // namespace spicymkl
