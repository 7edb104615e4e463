// ℓ(y, z) = max(1 − yz, 0)². Conjugate −p + p²/4 on p = yρ ≥ 0.
#include <algorithm>

#include "quadratic_dual.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class SquaredHingeLoss final : public QuadraticDualLoss {
 public:
  SquaredHingeLoss() : QuadraticDualLoss(LabelKind::two_classes, {0, kInfinity}, 0.5) {}
  std::string_view name() const override { return "squared_hinge"; }
  double value(double y, double z) const override {
    const double slack = std::max(1 - y * z, 0.0);
    return slack * slack;
  }
  double dual_point(double y, double z) const override { return 2 * y * std::max(1 - y * z, 0.0); }
};

}  // namespace

LossType squared_hinge_loss() {
  return {.name = "squared_hinge",
          .labels = LabelKind::two_classes,
          .description = "max(1 − yz, 0)², a smooth hinge",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<SquaredHingeLoss>(); }};
}

}  // namespace spicymkl
