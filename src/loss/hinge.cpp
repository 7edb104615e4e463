// ℓ(y, z) = max(1 − yz, 0). Its conjugate, Eq. (17), is −p on 0 ≤ p = yρ ≤ 1.
#include <algorithm>

#include "quadratic_dual.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class HingeLoss final : public QuadraticDualLoss {
 public:
  HingeLoss() : QuadraticDualLoss(LabelKind::two_classes, {0, 1}, 0) {}
  std::string_view name() const override { return "hinge"; }
  double value(double y, double z) const override { return std::max(1 - y * z, 0.0); }
  double dual_point(double y, double z) const override { return y * z < 1 ? y : 0.0; }
};

}  // namespace

LossType hinge_loss() {
  return {.name = "hinge",
          .labels = LabelKind::two_classes,
          .description = "max(1 − yz, 0), that of the support vector machine",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<HingeLoss>(); }};
}

}  // namespace spicymkl
