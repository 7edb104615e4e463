// A Newton matrix that costs far more to assemble than to multiply by: kernels are factors, together wider than the
// samples are many, and there is no room for them as matrices in double precision.
#pragma once

#include "core/rough_cholesky.hpp"
#include "owned_terms.hpp"

namespace spicymkl {

/// Factors the matrix of one step in single precision; here and at later steps this factor preconditions conjugate
/// gradients, until these take too many steps. Their products are in single precision too: by the sum of the kernels,
/// where the bank has quick ones, else by their factors; what they lack in digits is found by exact products. With
/// kernels of total rank R the matrix takes N²R operations, a product
/// 4NR: weights and curvatures have to change by much until the former pays.
class LaggedNewtonSystem final : public NewtonSystem {
 public:
  explicit LaggedNewtonSystem(const KernelBank& bank) : bank_(bank) {}

  /// Whether a bank is of the kind that this system is for.
  static bool suits(const KernelBank& bank);

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;
  std::shared_ptr<const RoughCholesky> hand_on() const override { return preconditioner_; }
  void take_over(std::shared_ptr<const RoughCholesky> factor) override;

 private:
  bool is_diagonal() const { return terms_.kernels.empty() && terms_.added.cols() == 0; }
  /// Whether the sum of the kernels is made at every step.
  bool keeps_sum() const { return bank_.sums()->has_quick_rough_sums(); }
  void make_sum();
  void drop_sum();
  /// The matrix of this step, factored: to precondition with.
  bool factor_roughly();
  /// The same in full precision: to solve with.
  bool factor_exactly();
  Index most_steps() const;
  void multiply_roughly(const Matrix& V, Matrix& out);
  /// By conjugate gradients with rough products. Whether the preconditioner will do for the next step is seen here.
  bool iterate(const Matrix& rhs, Matrix& solution);
  /// By these, and exact products as to what is left.
  bool refine(MatrixRef rhs);

  const KernelBank& bank_;
  OwnedTerms terms_;  // of the present step
  RoughMatrix sum_;   // of its kernels
  bool summed_ = false;
  std::shared_ptr<const RoughCholesky> preconditioner_;
  bool stale_ = true;     // of a matrix that is too far from this one
  bool gave_up_ = false;  // the present matrix has no factor
  Matrix exact_;          // Cholesky factor of this one; empty: not made
  std::vector<Matrix> workspace_;
};

}  // namespace spicymkl
