// The kernel bank: the one place where size lives. Its operations are all that a solver may ask of the M Gram matrices.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "spicymkl/bank/dual_constraints.hpp"
#include "spicymkl/core/nested_sums.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/core/types.hpp"
#include "spicymkl/core/watch.hpp"

namespace spicymkl {

class KernelBank;
class RoughCholesky;

using RoughMatrix = Eigen::MatrixXf;  ///< where single precision will do

/// The matrix  diag(diagonal) + Σ_k weights_k K_kernels(k) + U₊U₊ᵀ − U₋U₋ᵀ + nested  of a Newton step, where U₊ is the
/// first n_added columns of low_rank and U₋ the others.
struct NewtonTerms {
  KernelSet kernels;
  ConstVectorRef weights;
  ConstVectorRef diagonal;
  ConstMatrixRef low_rank;
  Index n_added;
  const NestedSums* nested = nullptr;  ///< none, unless the system takes them
};

/// How accurately a system is solved: as a Newton direction need be, or to the two digits of what only shapes one.
enum class Digits { direction, few };

/// Solves Newton systems of one size, reusing its workspace. How is the bank's own business.
class NewtonSystem {
 public:
  virtual ~NewtonSystem() = default;
  /// False when the matrix is not positive definite to working precision; then there is nothing to solve with.
  [[nodiscard]] virtual bool factor(const NewtonTerms& terms) = 0;
  /// Whether `factor` takes nested sums as they are. To all others they are given as columns of low_rank.
  virtual bool takes_nested_sums() const { return false; }
  /// rhs ← matrix⁻¹ rhs, column by column, as accurately as a Newton direction need be: each column x has xᵀ·rhs > 0.
  virtual void solve(MatrixRef rhs) = 0;
  /// The same to few digits, where that is quicker.
  virtual void solve_roughly(MatrixRef rhs) { solve(rhs); }
  /// The Δ with matrix·Δ + Uδ = rhs and UᵀΔ = 0. The first columns of `workspace` are right-hand sides and become their
  /// Δ; the last are room, one for each column of the constraints. `multipliers` becomes the δ that belong to these
  /// columns for the first right-hand side, one per output.
  virtual void solve_within(const DualConstraints& constraints, MatrixRef workspace, MatrixRef multipliers,
                            Digits digits = Digits::direction);

  // A system that is made for the next run over the same samples may begin where the last one ended. Most have nothing
  // to hand on.

  /// A matrix like the one to come, factored, or null.
  virtual std::shared_ptr<const RoughCholesky> hand_on() const { return nullptr; }
  virtual void take_over(std::shared_ptr<const RoughCholesky>) {}
};

/// Subsets of the kernels of a bank, one after the other, such as a growing working set asks for. It remembers what the
/// last one was made of, so that the next shares its work. The bank must outlive the subsets.
struct KernelSubsets {
  Index quick_size;  ///< how many kernels a subset may have so that it is quick to work on
  /// These kernels alone, renumbered from 0, in the form that suits many readings of them.
  std::function<std::shared_ptr<const KernelBank>(std::vector<Index> kernels)> of;
  bool columns = true;  ///< whether such a subset can be read column by column, where there is room for it
};

// Capabilities: what some banks can do beside the questions that every bank answers. A bank offers one by deriving from
// it and returning itself when it is asked for.

/// A column of a kernel costs no more than its length: methods that move few samples at a time pay.
class KernelColumns {
 public:
  /// out = column i of Σ_k weights_k K_set(k)
  virtual void column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const = 0;

 protected:
  ~KernelColumns() = default;
};

/// Factors of kernels, K = ZZᵀ: Newton systems are of the size of the ranks where these are small.
class KernelFactors {
 public:
  /// Number of columns of Z; n_samples() where no factor is known.
  virtual Index factor_width(Index kernel) const = 0;
  /// columns = U with UUᵀ = Σ_k weights_k K_set(k), as wide as the factors of these kernels together. Asked only of
  /// kernels whose factor is known.
  virtual void weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const = 0;
  /// A bank's weighted_product to the digits of single precision, where that is quicker: for directions, which need
  /// few.
  virtual void rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const = 0;

 protected:
  ~KernelFactors() = default;
};

/// Sums of kernels as matrices in the memory of this process: Newton systems may be assembled and factored.
class KernelSums {
 public:
  /// Lower triangle of A += Σ_k weights_k K_set(k)
  virtual void add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const = 0;
  /// The same in single precision, where that is quicker: for directions, which need few digits.
  virtual void add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const;
  /// Whether that takes no more than reading so many matrices of single precision, or will from the second time on.
  virtual bool has_quick_rough_sums() const { return false; }

 protected:
  ~KernelSums() = default;
};

/// A weighted sum of kernels as a matrix K, made once and asked often.
class KernelMixture {
 public:
  virtual ~KernelMixture() = default;
  /// out = KV
  virtual void product(ConstMatrixRef V, MatrixRef out) const = 0;
  /// Factors K + diag(diagonal) over these samples alone; false when that is not positive definite to working
  /// precision.
  [[nodiscard]] virtual bool factor(const std::vector<Index>& samples, ConstVectorRef diagonal) = 0;
  /// rhs ← matrix⁻¹ rhs with the matrix that was factored last.
  virtual void solve(MatrixRef rhs) = 0;
};

/// A mixture costs little more than reading its kernels once: methods that move all samples many times while the
/// weights stay pay.
class KernelMixtures {
 public:
  /// Σ_k weights_k K_set(k). The bank must outlive it.
  virtual std::unique_ptr<KernelMixture> mixture(KernelSet set, ConstVectorRef weights) const = 0;

 protected:
  ~KernelMixtures() = default;
};

/// What is kept of some kernels.
struct BankUse {
  std::string kind;
  Index n_kernels = 0;
  double bytes = 0;
};

/// What a bank states of itself when it is made.
struct BankShape {
  Index n_samples = 0;
  Index n_kernels = 0;
  int threads = 0;   ///< that its operations use; 0: all cores
  Watch watch = {};  ///< operations throw Stopped when it says so
  /// Bytes that those who work with the bank may use for matrices as large as a kernel. Infinite where nobody asked for
  /// a limit.
  double work_bytes = std::numeric_limits<double>::infinity();
  Index n_outputs = 1;              ///< of each row; n_samples counts all outputs of all rows
  bool one_at_a_time = false;       ///< two threads must not ask at once: behind it is one device, or one conversation
  std::string computed_on = "cpu";  ///< who answers; else the name of a device
};

class KernelBank {
 public:
  explicit KernelBank(BankShape shape) : shape_(std::move(shape)) { shape_.threads = resolve_threads(shape_.threads); }
  virtual ~KernelBank() = default;

  const BankShape& shape() const { return shape_; }
  Index n_samples() const { return shape_.n_samples; }
  Index n_kernels() const { return shape_.n_kernels; }
  /// More than 1 where every kernel stands for all outputs of a row at once: see bank/outputs_bank.hpp.
  Index n_outputs() const { return shape_.n_outputs; }
  Index n_rows() const { return shape_.n_samples / shape_.n_outputs; }
  int threads() const { return shape_.threads; }
  const Watch& watch() const { return shape_.watch; }
  double work_bytes() const { return shape_.work_bytes; }
  /// True when there is room for so many matrices as large as a kernel. Small ones always have.
  bool has_room_for(double n_matrices) const;

  // What every bank answers itself. V has one column or several; one costs no more than if it were a vector.

  /// K_set(k) V is written to the k-th block of V.cols() columns of out.
  virtual void products(KernelSet set, ConstMatrixRef V, MatrixRef out) const = 0;
  /// out = the diagonal of Σ_k weights_k K_set(k)
  virtual void weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const = 0;
  virtual double trace(Index kernel) const = 0;

  // What follows from these. A bank overrides what it does better.

  /// out(k, p) = v_pᵀ K_set(k) v_p for each column v_p of V, never negative.
  virtual void quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const;
  /// out(k, p) = Σ_j v_jᵀ K_set(k) v_j = tr(V_pᵀ K_set(k) V_p) over V_p, the p-th `together` columns of V: the squared
  /// norm of several outputs that share a kernel.
  virtual void joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const;
  /// out = (Σ_k weights_k K_set(k)) V
  virtual void weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const;
  /// By default a system of the size of the ranks where these are small; else the matrix is assembled and factored
  /// where the bank has sums and room for it, and solved by products alone where not.
  virtual std::unique_ptr<NewtonSystem> make_newton_system() const;
  virtual KernelSubsets subsets() const;
  /// All kernels on these rows alone; null when the bank has no cheap way to give them. The bank must outlive the
  /// answer.
  virtual std::shared_ptr<const KernelBank> on_samples(const std::vector<Index>&) const { return nullptr; }
  /// An upper bound on the trace of what is left out, K_m minus what is kept, where that is positive semi-definite;
  /// then vᵀK_mv exceeds the form of what is kept by at most so many times ‖v‖². Infinite where nothing can be said.
  virtual double missing_trace(Index) const { return 0; }
  virtual std::string name(Index kernel) const;
  /// What is kept, kind by kind.
  virtual std::vector<BankUse> use() const { return {}; }

  // Capabilities; null where the bank has none.

  virtual const KernelColumns* columns() const { return nullptr; }
  virtual const KernelFactors* factors() const { return nullptr; }
  virtual const KernelSums* sums() const { return nullptr; }
  virtual const KernelMixtures* mixtures() const { return nullptr; }

  // For those who ask. Without the capability the answer comes from the operations above, at their price.

  /// False when kernels are approximated: then the certificate is to be taken on a bank that is exact.
  bool exact() const;
  /// Number of columns of a factor of the kernel; n_samples() where none is known.
  Index rank(Index kernel) const { return factors() ? factors()->factor_width(kernel) : n_samples(); }
  void weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const;
  void add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const;
  std::shared_ptr<const KernelBank> subset(std::vector<Index> kernels) const {
    return subsets().of(std::move(kernels));
  }

 protected:
  /// Calls body(k, workspace) for every position k of a set, on the threads of the bank, where a kernel costs about
  /// `cost` multiplications. The workspace, empty at first, is kept from one kernel to the next.
  template <class Body>
  void for_each_kernel(KernelSet set, double cost, const Body& body) const {
    StopCheck stop(watch());
    parallel_for(std::ssize(set), threads(), cost, [&](Index begin, Index end) {
      Matrix workspace;
      for (Index k = begin; k < end && !stop.skip(); ++k) body(k, workspace);
    });
    stop.finish();
  }

 private:
  BankShape shape_;
};

}  // namespace spicymkl
