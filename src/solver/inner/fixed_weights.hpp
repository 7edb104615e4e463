// The dual with the kernel weights fixed, and how its optimal value follows them.
#pragma once

#include <memory>
#include <vector>

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// The ρ that minimises ½ρᵀKρ + Σℓ*_i(−ρ_i) with K = Σ w_mK_m on Cᵀρ = 0.
class FixedWeights {
 public:
  virtual ~FixedWeights() = default;

  /// With these weights of some kernels, from a feasible `start`, to a duality gap of `accuracy`; false where it is
  /// stuck. What follows speaks of the ρ that was found.
  virtual bool minimise(const std::vector<Index>& kernels, const Vector& weights, const Vector& start,
                        double accuracy) = 0;
  virtual const Vector& rho() const = 0;
  /// Of the minimum.
  virtual double value() const = 0;
  /// ρᵀK_mρ of every kernel. One pass.
  virtual Vector squared_norms() = 0;
  /// Σ scale_k K_kernels(k)ρ
  virtual Vector predictions(const std::vector<Index>& kernels, const Vector& scale) const = 0;
  /// Minus the second derivatives of the minimum over the weights of these kernels; empty where there is none to go by.
  virtual Matrix hessian(const std::vector<Index>& kernels) = 0;
  /// Part of its price that the slope of a weight of 0 exceeds where the kernel is not worth its row of the Hessian.
  virtual double stays_out() const = 0;
};

/// For losses with has_svm_dual() over banks with columns or mixtures, and for those with has_linear_dual(). `problem`
/// must outlive it.
std::unique_ptr<FixedWeights> make_fixed_weights(const Problem& problem, const Watch& watch);

}  // namespace spicymkl
