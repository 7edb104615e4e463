// ℓ(y, z) = max(τ(y − z), (τ − 1)(y − z)), whose minimiser is the τ-quantile. Conjugate −yρ on τ − 1 ≤ ρ ≤ τ: two
// constraints.
#include <fmt/format.h>

#include <algorithm>

#include "spicymkl/core/error.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class QuantileLoss final : public Loss {
 public:
  /// quantile τ in (0, 1).
  explicit QuantileLoss(double quantile) : quantile_(quantile) {
    if (!(quantile > 0 && quantile < 1))
      throw InputError(fmt::format("quantile is {}, but it must lie between 0 and 1, both excluded", quantile));
  }

  std::string_view name() const override { return "quantile"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override {
    const double residual = y - z;
    return std::max(quantile_ * residual, (quantile_ - 1) * residual);
  }
  double dual_point(double y, double z) const override { return y > z ? quantile_ : quantile_ - 1; }
  double conjugate(double y, double rho) const override {
    return rho >= quantile_ - 1 && rho <= quantile_ ? -y * rho : std::numeric_limits<double>::infinity();
  }
  Interval dual_domain(double) const override { return {quantile_ - 1, quantile_}; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    DualTerm term;
    term.value = -y * rho;
    term.d_rho = -y;
    return term;
  }
  int n_constraints() const override { return 2; }
  DualTerm constraint(int j, double, double rho, double) const override {
    const double side = j == 0 ? 1 : -1;  // ρ − τ ≤ 0 and −ρ − (1 − τ) ≤ 0
    DualTerm term;
    term.value = side * rho - (j == 0 ? quantile_ : 1 - quantile_);
    term.d_rho = side;
    return term;
  }

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
