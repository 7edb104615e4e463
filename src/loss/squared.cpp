// ℓ(y, z) = (y − z)². Conjugate −yρ + ρ²/4 everywhere.
#include "types.hpp"

namespace spicymkl {

namespace {

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

double SquaredLoss::value(double y, double z) const { return (y - z) * (y - z); }

double SquaredLoss::dual_point(double y, double z) const { return 2 * (y - z); }

double SquaredLoss::conjugate(double y, double rho) const { return -y * rho + rho * rho / 4; }

Interval SquaredLoss::dual_domain(double) const { return {}; }

DualTerm SquaredLoss::smooth_conjugate(double y, double rho, double) const {
  DualTerm term;
  term.value = conjugate(y, rho);
  term.d_rho = -y + rho / 2;
  term.d_rho_rho = 0.5;
  return term;
}

}  // namespace

LossType squared_loss() {
  return {.name = "squared",
          .labels = LabelKind::real,
          .description = "(y − z)², which estimates the mean",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<SquaredLoss>(); }};
}

}  // namespace spicymkl
