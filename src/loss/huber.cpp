// ℓ(y, z) = r² for |r| ≤ ε, 2ε|r| − ε² beyond, r = y − z: the squared loss made robust.
// Conjugate −yρ + ρ²/4 on |ρ| ≤ 2ε.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "quadratic_dual.hpp"
#include "spicymkl/core/error.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class HuberLoss final : public QuadraticDualLoss {
 public:
  /// Errors above epsilon > 0 count linearly.
  explicit HuberLoss(double epsilon)
      : QuadraticDualLoss(LabelKind::real, {-2 * epsilon, 2 * epsilon}, 0.5), epsilon_(epsilon) {
    if (!(epsilon > 0 && std::isfinite(epsilon)))
      throw InputError(fmt::format("epsilon is {}, but the huber loss needs a finite epsilon > 0", epsilon));
  }

  std::string_view name() const override { return "huber"; }
  double value(double y, double z) const override {
    const double size = std::abs(y - z);
    return size <= epsilon_ ? size * size : epsilon_ * (2 * size - epsilon_);
  }
  double dual_point(double y, double z) const override { return 2 * std::clamp(y - z, -epsilon_, epsilon_); }

 private:
  double epsilon_;
};

}  // namespace

LossType huber_loss() {
  return {
      .name = "huber",
      .labels = LabelKind::real,
      .description = "(y − z)² up to abs(y − z) = epsilon and straight beyond, less moved by outliers",
      .parameters = {"epsilon"},
      .make = [](const LossParameters& p) -> std::unique_ptr<Loss> { return std::make_unique<HuberLoss>(p.epsilon); }};
}

}  // namespace spicymkl
