// One combined kernel, many samples: the dual of a support vector machine by Newton steps on the samples that are free.
#pragma once

#include "svm_dual.hpp"

namespace spicymkl {

/// Projected Newton steps (Bertsekas 1982): a linear system over the samples that no bound holds, and its solution,
/// projected to the bounds and to 1ᵀρ = 0, as far as the objective falls. A handful of steps is enough from a start
/// near the solution, such as that of weights that were a little different. For banks that make mixtures.
class SvmNewton final : public SvmDual {
 public:
  SvmNewton(const Problem& problem, const std::vector<Index>& kernels, const Vector& weights, ConstVectorRef rho);

  bool minimise(double gap, const std::function<bool()>& stop) override;
  [[nodiscard]] bool value_hessian(ConstMatrixRef images, Matrix& H) override;

 private:
  /// Of 1ᵀρ = 0, as a step along the gradient has it: some samples may rise and some may fall with it, wherever there
  /// is something to gain. (With the best intercept for Kρ it may be that nobody falls.)
  double multiplier() const;
  /// Those that are inside their domain, or at a bound that they are about to leave, with `intercept` as multiplier.
  std::vector<Index> moving_samples(double intercept) const;
  /// ρ + step on `samples`, projected, less ρ.
  Vector projected(const std::vector<Index>& samples, ConstVectorRef step) const;
  /// The Newton step on `samples`; false when the matrix cannot be factored.
  [[nodiscard]] bool newton_step(const std::vector<Index>& samples, double intercept, Vector& step);
  /// Moves along the best of several parts of the step; what is left of the whole one, 0 where nothing is gained.
  double move_along(const std::vector<Index>& samples, const Vector& step);

  std::unique_ptr<KernelMixture> mixture_;
  double unit_;     // size of a diagonal entry of K
  double damping_;  // added to the diagonal, in such units
};

}  // namespace spicymkl
