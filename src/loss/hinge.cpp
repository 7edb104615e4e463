// ℓ(y, z) = max(1 − yz, 0). Its conjugate, Eq. (17), is linear with finite slope at both ends of 0 ≤ p = yρ ≤ 1:
// two constraints (Section 3.4.1) whose multipliers are the slacks ξ and ζ of the support vector machine.
#include <algorithm>

#include "types.hpp"

namespace spicymkl {

namespace {

class HingeLoss final : public Loss {
 public:
  std::string_view name() const override { return "hinge"; }
  LabelKind labels() const override { return LabelKind::two_classes; }
  double value(double y, double z) const override { return std::max(1 - y * z, 0.0); }
  double dual_point(double y, double z) const override { return y * z < 1 ? y : 0.0; }
  double conjugate(double y, double rho) const override {  // Eq. (17)
    const double p = y * rho;
    return p >= 0 && p <= 1 ? -p : std::numeric_limits<double>::infinity();
  }
  Interval dual_domain(double y) const override { return y > 0 ? Interval{0, 1} : Interval{-1, 0}; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    DualTerm term;
    term.value = -y * rho;
    term.d_rho = -y;
    return term;
  }
  int n_constraints() const override { return 2; }
  DualTerm constraint(int j, double y, double rho, double) const override {
    const double side = j == 0 ? y : -y;  // h_0 = p − 1 with multiplier ξ, h_1 = −p with multiplier ζ
    DualTerm term;
    term.value = side * rho - (j == 0 ? 1 : 0);
    term.d_rho = side;
    return term;
  }
};

}  // namespace

LossType hinge_loss() {
  return {.name = "hinge",
          .labels = LabelKind::two_classes,
          .description = "max(1 − yz, 0), that of the support vector machine",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<HingeLoss>(); }};
}

}  // namespace spicymkl
