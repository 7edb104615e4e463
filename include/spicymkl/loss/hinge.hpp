// ℓ(y, z) = max(1 − yz, 0). Its conjugate, Eq. (17), is linear with finite slope at both ends of 0 ≤ p = yρ ≤ 1:
// two constraints (Section 3.4.1) whose multipliers are the slacks ξ and ζ of the support vector machine.
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class HingeLoss final : public Loss {
 public:
  std::string_view name() const override { return "hinge"; }
  LabelKind labels() const override { return LabelKind::two_classes; }
  double value(double y, double z) const override;
  double dual_point(double y, double z) const override;
  double conjugate(double y, double rho) const override;
  Interval dual_domain(double y) const override;
  DualTerm smooth_conjugate(double y, double rho, double aux) const override;
  int n_constraints() const override { return 2; }
  DualTerm constraint(int j, double y, double rho, double aux) const override;
};

}  // namespace spicymkl
