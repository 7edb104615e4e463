// ℓ(y, z) = log(1 + exp(−yz)). Its conjugate, Eq. (16), is the negative entropy of p = yρ: the gradient is unbounded at
// both ends of 0 ≤ p ≤ 1, so that Newton's method stays inside and no constraint is needed.
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class LogisticLoss final : public Loss {
 public:
  std::string_view name() const override { return "logistic"; }
  LabelKind labels() const override { return LabelKind::two_classes; }
  double value(double y, double z) const override;
  double dual_point(double y, double z) const override;
  double conjugate(double y, double rho) const override;
  Interval dual_domain(double y) const override;
  double conjugate_convexity() const override { return 4; }
  DualTerm smooth_conjugate(double y, double rho, double aux) const override;
  Interval smooth_domain(double y) const override { return dual_domain(y); }
};

}  // namespace spicymkl
