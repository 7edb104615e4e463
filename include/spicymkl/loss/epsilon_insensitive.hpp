// ℓ(y, z) = max(|y − z| − ε, 0), the loss of support vector regression. Its conjugate −yρ + ε|ρ| on |ρ| ≤ 1 has two
// ends and a kink at 0; the auxiliary variable ρ̃ ≥ max(0, ρ) replaces |ρ| by 2ρ̃ − ρ (Eqs. (35) and (36), with the
// factor ε that the paper's ℓ0* forgets).
#pragma once

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class EpsilonInsensitiveLoss final : public Loss {
 public:
  /// epsilon ≥ 0 is the half-width of the tube in which errors cost nothing.
  explicit EpsilonInsensitiveLoss(double epsilon);

  std::string_view name() const override { return "epsilon_insensitive"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override;
  double dual_point(double y, double z) const override;
  double conjugate(double y, double rho) const override;
  Interval dual_domain(double y) const override;
  DualTerm smooth_conjugate(double y, double rho, double aux) const override;
  bool has_auxiliary() const override { return true; }
  int n_constraints() const override { return 4; }
  DualTerm constraint(int j, double y, double rho, double aux) const override;

 private:
  double epsilon_;
};

}  // namespace spicymkl
