// ℓ(y, z) = (y − z)². Conjugate −yρ + ρ²/4 everywhere.
#include "types.hpp"

namespace spicymkl {

namespace {

class SquaredLoss final : public Loss {
 public:
  std::string_view name() const override { return "squared"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override { return (y - z) * (y - z); }
  double dual_point(double y, double z) const override { return 2 * (y - z); }
  double conjugate(double y, double rho) const override { return -y * rho + rho * rho / 4; }
  Interval dual_domain(double) const override { return {}; }
  double conjugate_convexity() const override { return 0.5; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    DualTerm term;
    term.value = conjugate(y, rho);
    term.d_rho = -y + rho / 2;
    term.d_rho_rho = 0.5;
    return term;
  }
};

}  // namespace

LossType squared_loss() {
  return {.name = "squared",
          .labels = LabelKind::real,
          .description = "(y − z)², which estimates the mean",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<SquaredLoss>(); }};
}

}  // namespace spicymkl
