// A Newton matrix that costs far more to assemble than to multiply by: kernels are factors, together wider than the
// samples are many, and there is no room for them as matrices.
#pragma once

#include "owned_terms.hpp"

namespace spicymkl {

/// Assembles and factors the matrix of one step, in single precision; here and at later steps this factor preconditions
/// conjugate gradients, whose products read the factors of the kernels, until these take too many steps. With kernels
/// of total rank R the matrix takes N²R operations, a product 4NR: weights and curvatures have to change by much until
/// the former pays.
class LaggedNewtonSystem final : public NewtonSystem {
 public:
  explicit LaggedNewtonSystem(const KernelBank& bank) : bank_(bank) {}

  /// Whether a bank is of the kind that this system is for.
  static bool suits(const KernelBank& bank);

  bool factor(const NewtonTerms& terms) override;
  void solve(MatrixRef rhs) override;
  std::shared_ptr<const Matrix> hand_on() const override { return factor_; }
  void take_over(std::shared_ptr<const Matrix> factor) override;

 private:
  bool is_diagonal() const { return terms_.kernels.empty() && terms_.added.cols() == 0; }
  enum class Precision { single, full };
  /// The matrix of this step, factored: to precondition with, or to solve with.
  bool assemble(Precision precision);
  void precondition(Matrix& V) const;
  bool iterate(MatrixRef rhs);

  const KernelBank& bank_;
  OwnedTerms terms_;                      // of the present step
  std::shared_ptr<const Matrix> factor_;  // of the matrix of this step, or of an earlier one
  bool current_ = false;                  // of this one, in full precision
  bool stale_ = true;                     // of one that is too far from this one
};

}  // namespace spicymkl
