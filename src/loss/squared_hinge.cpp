// ℓ(y, z) = max(1 − yz, 0)². Conjugate −p + p²/4 on p = yρ ≥ 0: one constraint.
#include <algorithm>

#include "types.hpp"

namespace spicymkl {

namespace {

class SquaredHingeLoss final : public Loss {
 public:
  std::string_view name() const override { return "squared_hinge"; }
  LabelKind labels() const override { return LabelKind::two_classes; }
  double value(double y, double z) const override {
    const double slack = std::max(1 - y * z, 0.0);
    return slack * slack;
  }
  double dual_point(double y, double z) const override { return 2 * y * std::max(1 - y * z, 0.0); }
  double conjugate(double y, double rho) const override {
    const double p = y * rho;
    return p >= 0 ? -p + p * p / 4 : std::numeric_limits<double>::infinity();
  }
  Interval dual_domain(double y) const override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return y > 0 ? Interval{0, infinity} : Interval{-infinity, 0};
  }
  double conjugate_convexity() const override { return 0.5; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    DualTerm term;
    term.value = -y * rho + rho * rho / 4;
    term.d_rho = -y + rho / 2;
    term.d_rho_rho = 0.5;
    return term;
  }
  int n_constraints() const override { return 1; }
  DualTerm constraint(int, double y, double rho, double) const override {
    DualTerm term;
    term.value = -y * rho;
    term.d_rho = -y;
    return term;
  }
};

}  // namespace

LossType squared_hinge_loss() {
  return {.name = "squared_hinge",
          .labels = LabelKind::two_classes,
          .description = "max(1 − yz, 0)², a smooth hinge",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<SquaredHingeLoss>(); }};
}

}  // namespace spicymkl
