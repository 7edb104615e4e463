// The kernel bank: the one place where size lives. Its operations are all that a solver may ask of the M Gram matrices.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "spicymkl/core/types.hpp"
#include "spicymkl/core/watch.hpp"

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
  /// rhs ← matrix⁻¹ rhs, column by column, as accurately as a Newton direction need be: each column x has xᵀ·rhs > 0.
  virtual void solve(MatrixRef rhs) = 0;
};

/// Tells what a bank keeps of its kernels.
struct BankUse {
  std::string kind;
  Index n_kernels = 0;
  double bytes = 0;
};

/// Operations throw Stopped when the watch of the bank says so.
class KernelBank {
 public:
  /// work_bytes: see below.
  explicit KernelBank(Watch watch = {}, double work_bytes = std::numeric_limits<double>::infinity())
      : watch_(std::move(watch)), work_bytes_(work_bytes) {}
  virtual ~KernelBank() = default;

  const Watch& watch() const { return watch_; }
  /// Bytes that those who work with the bank may use for matrices as large as a kernel. Infinite where nobody asked for
  /// a limit.
  double work_bytes() const { return work_bytes_; }
  /// True when there is room for so many of them. Small ones always have.
  bool has_room_for(double n_matrices) const;

  virtual Index n_samples() const = 0;
  virtual Index n_kernels() const = 0;
  virtual std::string name(Index kernel) const = 0;

  /// out.col(k) = K_set(k) v
  virtual void products(KernelSet set, ConstVectorRef v, MatrixRef out) const = 0;
  /// out(k) = vᵀ K_set(k) v, never negative.
  virtual void quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const = 0;
  /// out = (Σ_k weights_k K_set(k)) v
  virtual void weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const;
  /// Lower triangle of A += Σ_k weights_k K_set(k)
  virtual void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const = 0;
  /// True when a column of a kernel costs no more than its length.
  virtual bool has_columns() const { return false; }
  /// out = column i of Σ_k weights_k K_set(k), and its diagonal. Asked only of a bank that has columns.
  virtual void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const;
  virtual void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const;
  /// Number of columns of a factor Z of the kernel, K = ZZᵀ; n_samples() where none is known.
  virtual Index rank(Index) const { return n_samples(); }
  /// columns = U with UUᵀ = Σ_k weights_k K_set(k), the ranks of these kernels together wide. Asked only of kernels
  /// with a rank below n_samples().
  virtual void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const;
  /// By default a system of the size of the ranks where these are few; else the matrix is assembled by add_weighted_sum
  /// and factored, or, where there is no room for it, the system is solved by products alone.
  virtual std::unique_ptr<NewtonSystem> make_newton_system() const;

  /// These kernels alone, renumbered from 0, in the form that suits many readings of them. `previous` is an earlier
  /// answer of this bank whose work may be shared, or null. The bank must outlive its subsets.
  virtual std::shared_ptr<const KernelBank> subset(std::vector<Index> kernels, const KernelBank* previous) const;

  /// How many kernels a subset may have so that it is kept in that form; more are slower to work on.
  virtual Index quick_subset() const { return n_kernels(); }

  /// All kernels on these samples alone; null when the bank has no cheap way to tell. The bank must outlive the answer.
  virtual std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>& rows) const;

  virtual double trace(Index kernel) const = 0;
  /// An upper bound on the largest eigenvalue of the kernel.
  virtual double eigenvalue_bound(Index kernel) const = 0;
  /// False when kernels are approximated: then the certificate is to be taken on a bank that is exact.
  virtual bool exact() const { return true; }
  /// An upper bound on the trace of what is left out, K_m minus what is kept, where that is positive semi-definite;
  /// then vᵀK_mv exceeds the form of what is kept by at most so many times ‖v‖². Infinite where nothing can be said.
  virtual double missing_trace(Index) const { return exact() ? 0 : std::numeric_limits<double>::infinity(); }
  /// What is kept, kind by kind.
  virtual std::vector<BankUse> use() const = 0;
  /// Threads that its operations use.
  virtual int threads() const = 0;

 private:
  Watch watch_;
  double work_bytes_;
};

}  // namespace spicymkl
