// ℓ(y, z) = (y − z)². Conjugate −yρ + ρ²/4 everywhere.
#include "quadratic_dual.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class SquaredLoss final : public QuadraticDualLoss {
 public:
  SquaredLoss() : QuadraticDualLoss(LabelKind::real, {}, 0.5) {}
  std::string_view name() const override { return "squared"; }
  double value(double y, double z) const override { return (y - z) * (y - z); }
  double dual_point(double y, double z) const override { return 2 * (y - z); }
};

}  // namespace

LossType squared_loss() {
  return {.name = "squared",
          .labels = LabelKind::real,
          .description = "(y − z)², which estimates the mean",
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<SquaredLoss>(); }};
}

}  // namespace spicymkl
