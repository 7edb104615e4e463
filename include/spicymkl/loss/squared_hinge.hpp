// ℓ(y, z) = max(1 − yz, 0)². Conjugate −p + p²/4 on p = yρ ≥ 0: one constraint.
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class SquaredHingeLoss final : public Loss {
 public:
  std::string_view name() const override { return "squared_hinge"; }
  LabelKind labels() const override { return LabelKind::two_classes; }
  double value(double y, double z) const override;
  double dual_point(double y, double z) const override;
  double conjugate(double y, double rho) const override;
  Interval dual_domain(double y) const override;
  double conjugate_convexity() const override { return 0.5; }
  DualTerm smooth_conjugate(double y, double rho, double aux) const override;
  int n_constraints() const override { return 1; }
  DualTerm constraint(int j, double y, double rho, double aux) const override;
};

}  // namespace spicymkl
