// ℓ(y, z) = max(|y − z| − ε, 0), the loss of support vector regression. Its conjugate −yρ + ε|ρ| on |ρ| ≤ 1 has two
// ends and a kink at 0; the auxiliary variable ρ̃ ≥ max(0, ρ) replaces |ρ| by 2ρ̃ − ρ (Eqs. (34) and (35), with the
// factor ε that the paper's ℓ0* forgets).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "soft_tube.hpp"
#include "spicymkl/core/error.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class EpsilonInsensitiveLoss final : public Loss {
 public:
  /// epsilon ≥ 0 is the half-width of the tube in which errors cost nothing.
  explicit EpsilonInsensitiveLoss(double epsilon) : epsilon_(epsilon) {
    if (!(epsilon >= 0 && std::isfinite(epsilon)))
      throw InputError(
          fmt::format("epsilon is {}, but the epsilon_insensitive loss needs a finite epsilon >= 0", epsilon));
  }

  std::string_view name() const override { return "epsilon_insensitive"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override { return std::max(std::abs(y - z) - epsilon_, 0.0); }
  double dual_point(double y, double z) const override {
    const double residual = y - z;
    return std::abs(residual) > epsilon_ ? std::copysign(1.0, residual) : 0.0;
  }
  double conjugate(double y, double rho) const override {  // Eq. (34) at −ρ
    return std::abs(rho) <= 1 ? -y * rho + epsilon_ * std::abs(rho) : std::numeric_limits<double>::infinity();
  }
  Interval dual_domain(double) const override { return {-1, 1}; }
  DualTerm smooth_conjugate(double y, double rho, double aux) const override {
    return {.value = -y * rho + epsilon_ * (2 * aux - rho), .d_rho = -y - epsilon_, .d_aux = 2 * epsilon_};
  }
  std::unique_ptr<Loss> smoothed(double width) const override {
    return std::make_unique<SoftTubeLoss>(epsilon_, width);
  }
  bool has_auxiliary() const override { return true; }
  int n_constraints() const override { return 4; }
  DualTerm constraint(int j, double, double rho, double aux) const override {
    switch (j) {
      case 0:
        return {.value = -rho - 1, .d_rho = -1};  // −ρ − 1 ≤ 0
      case 1:
        return {.value = rho - 1, .d_rho = 1};  // ρ − 1 ≤ 0
      case 2:
        return {.value = -aux, .d_aux = -1};  // −ρ̃ ≤ 0
      default:
        return {.value = rho - aux, .d_rho = 1, .d_aux = -1};  // ρ − ρ̃ ≤ 0
    }
  }

 private:
  double epsilon_;
};

}  // namespace

LossType epsilon_insensitive_loss() {
  return {.name = "epsilon_insensitive",
          .labels = LabelKind::real,
          .description = "max(abs(y − z) − epsilon, 0), that of support vector regression",
          .parameters = {"epsilon"},
          .make = [](const LossParameters& p) -> std::unique_ptr<Loss> {
            return std::make_unique<EpsilonInsensitiveLoss>(p.epsilon);
          }};
}

}  // namespace spicymkl
