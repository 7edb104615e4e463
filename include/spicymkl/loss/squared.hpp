// ℓ(y, z) = (y − z)². Conjugate −yρ + ρ²/4 everywhere.
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class SquaredLoss final : public Loss {
 public:
  std::string_view name() const override { return "squared"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override;
  double dual_point(double y, double z) const override;
  double conjugate(double y, double rho) const override;
  Interval dual_domain(double y) const override;
  double conjugate_convexity() const override { return 0.5; }
  DualTerm smooth_conjugate(double y, double rho, double aux) const override;
};

}  // namespace spicymkl
