// ℓ(y, z) = max(τ(y − z), (τ − 1)(y − z)), whose minimiser is the τ-quantile. Conjugate −yρ on τ − 1 ≤ ρ ≤ τ.
#include <fmt/format.h>

#include <algorithm>

#include "quadratic_dual.hpp"
#include "spicymkl/core/error.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class QuantileLoss final : public QuadraticDualLoss {
 public:
  /// quantile τ in (0, 1).
  explicit QuantileLoss(double quantile)
      : QuadraticDualLoss(LabelKind::real, {quantile - 1, quantile}, 0), quantile_(quantile) {
    if (!(quantile > 0 && quantile < 1))
      throw InputError(fmt::format("quantile is {}, but it must lie between 0 and 1, both excluded", quantile));
  }

  std::string_view name() const override { return "quantile"; }
  double value(double y, double z) const override {
    const double residual = y - z;
    return std::max(quantile_ * residual, (quantile_ - 1) * residual);
  }
  double dual_point(double y, double z) const override { return y > z ? quantile_ : quantile_ - 1; }

 private:
  double quantile_;
};

}  // namespace

LossType quantile_loss() {
  return {
      .name = "quantile",
      .labels = LabelKind::real,
      .description = "max(quantile·(y − z), (quantile − 1)·(y − z)), which estimates that quantile: 0.5 is the median",
      .parameters = {"quantile"},
      .make = [](const LossParameters& p) -> std::unique_ptr<Loss> {
        return std::make_unique<QuantileLoss>(p.quantile);
      }};
}

}  // namespace spicymkl
