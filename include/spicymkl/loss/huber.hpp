// ℓ(y, z) = r² for |r| ≤ ε, 2ε|r| − ε² beyond, r = y − z: the squared loss made robust.
// Conjugate −yρ + ρ²/4 on |ρ| ≤ 2ε: two constraints.
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class HuberLoss final : public Loss {
 public:
  /// Errors above epsilon > 0 count linearly.
  explicit HuberLoss(double epsilon);

  std::string_view name() const override { return "huber"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override;
  double dual_point(double y, double z) const override;
  double conjugate(double y, double rho) const override;
  Interval dual_domain(double y) const override;
  double conjugate_convexity() const override { return 0.5; }
  DualTerm smooth_conjugate(double y, double rho, double aux) const override;
  int n_constraints() const override { return 2; }
  DualTerm constraint(int j, double y, double rho, double aux) const override;

 private:
  double epsilon_;
};

}  // namespace spicymkl
