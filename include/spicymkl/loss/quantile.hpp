// ℓ(y, z) = max(τ(y − z), (τ − 1)(y − z)), whose minimiser is the τ-quantile. Conjugate −yρ on τ − 1 ≤ ρ ≤ τ: two
// constraints.
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class QuantileLoss final : public Loss {
 public:
  /// quantile τ in (0, 1).
  explicit QuantileLoss(double quantile);

  std::string_view name() const override { return "quantile"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override;
  double dual_point(double y, double z) const override;
  double conjugate(double y, double rho) const override;
  Interval dual_domain(double y) const override;
  DualTerm smooth_conjugate(double y, double rho, double aux) const override;
  int n_constraints() const override { return 2; }
  DualTerm constraint(int j, double y, double rho, double aux) const override;

 private:
  double quantile_;
};

}  // namespace spicymkl
