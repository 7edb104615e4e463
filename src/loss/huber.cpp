// ℓ(y, z) = r² for |r| ≤ ε, 2ε|r| − ε² beyond, r = y − z: the squared loss made robust.
// Conjugate −yρ + ρ²/4 on |ρ| ≤ 2ε: two constraints.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spicymkl/core/error.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class HuberLoss final : public Loss {
 public:
  /// Errors above epsilon > 0 count linearly.
  explicit HuberLoss(double epsilon) : epsilon_(epsilon) {
    if (!(epsilon > 0 && std::isfinite(epsilon)))
      throw InputError(fmt::format("epsilon is {}, but the huber loss needs a finite epsilon > 0", epsilon));
  }

  std::string_view name() const override { return "huber"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override {
    const double size = std::abs(y - z);
    return size <= epsilon_ ? size * size : epsilon_ * (2 * size - epsilon_);
  }
  double dual_point(double y, double z) const override { return 2 * std::clamp(y - z, -epsilon_, epsilon_); }
  double conjugate(double y, double rho) const override {
    return std::abs(rho) <= 2 * epsilon_ ? -y * rho + rho * rho / 4 : std::numeric_limits<double>::infinity();
  }
  Interval dual_domain(double) const override { return {-2 * epsilon_, 2 * epsilon_}; }
  double conjugate_convexity() const override { return 0.5; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    DualTerm term;
    term.value = -y * rho + rho * rho / 4;
    term.d_rho = -y + rho / 2;
    term.d_rho_rho = 0.5;
    return term;
  }
  int n_constraints() const override { return 2; }
  DualTerm constraint(int j, double, double rho, double) const override {
    const double side = j == 0 ? 1 : -1;  // ±ρ − 2ε ≤ 0
    DualTerm term;
    term.value = side * rho - 2 * epsilon_;
    term.d_rho = side;
    return term;
  }

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
