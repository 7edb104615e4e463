// The dual of a support vector machine with one combined kernel: what its solvers share.
#pragma once

#include <functional>
#include <vector>

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// ½ρᵀKρ + Σℓ*_i(−ρ_i) with K = Σ_k weights_k K_kernels(k), on 1ᵀρ = 0 when there is an intercept. For losses with
/// Loss::has_svm_dual(), whose conjugates are quadratic between two bounds.
class SvmDual {
 public:
  virtual ~SvmDual() = default;

  /// Moves ρ until the duality gap of this problem is at most `gap`; false when it is stuck, or `stop`, asked now and
  /// then, says so.
  virtual bool minimise(double gap, const std::function<bool()>& stop) = 0;
  /// H = UᵀZU, the second derivatives of the optimal value over weights whose kernels have the images U at ρ: see
  /// weight_hessian.hpp. False where there are none.
  [[nodiscard]] virtual bool value_hessian(ConstMatrixRef images, Matrix& H) = 0;

  const Vector& rho() const { return rho_; }
  /// ½ρᵀKρ + Σℓ*_i(−ρ_i)
  double value() const;
  /// Samples strictly inside the domain of their dual value.
  std::vector<Index> free_samples() const;

 protected:
  /// `problem` must outlive this. `rho` must be feasible.
  SvmDual(const Problem& problem, ConstVectorRef rho);

  /// The gradient at ρ from Kρ.
  void set_gradient(ConstVectorRef image);
  bool can_rise(Index i) const { return rho_(i) < upper_(i); }
  bool can_fall(Index i) const { return rho_(i) > lower_(i); }
  double duality_gap() const;

  const Problem& problem_;
  Vector lower_, upper_;  // domain of each dual value
  Vector curvature_;      // of each conjugate
  Vector rho_, gradient_;
};

/// The one that suits the bank: by Newton's method where it makes mixtures and has no columns, else by pairs of dual
/// values.
std::unique_ptr<SvmDual> make_svm_dual(const Problem& problem, const std::vector<Index>& kernels, const Vector& weights,
                                       ConstVectorRef rho);

}  // namespace spicymkl
