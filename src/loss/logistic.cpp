// ℓ(y, z) = log(1 + exp(−yz)). Its conjugate, Eq. (16), is the negative entropy of p = yρ: the gradient is unbounded at
// both ends of 0 ≤ p ≤ 1, so that Newton's method stays inside and no constraint is needed.
#include <cmath>

#include "types.hpp"

namespace spicymkl {

namespace {

class LogisticLoss final : public Loss {
 public:
  std::string_view name() const override { return "logistic"; }
  LabelKind labels() const override { return LabelKind::two_classes; }
  double value(double y, double z) const override {
    const double margin = y * z;
    // log(1 + e^{−m}) without overflow on either side.
    return margin > 0 ? std::log1p(std::exp(-margin)) : -margin + std::log1p(std::exp(margin));
  }
  double dual_point(double y, double z) const override { return y / (1 + std::exp(y * z)); }
  double conjugate(double y, double rho) const override {  // Eq. (16)
    const double p = y * rho;
    if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::infinity();
    const double head = p > 0 ? p * std::log(p) : 0;
    const double tail = p < 1 ? (1 - p) * std::log1p(-p) : 0;
    return head + tail;
  }
  Interval dual_domain(double y) const override { return y > 0 ? Interval{0, 1} : Interval{-1, 0}; }
  double conjugate_convexity() const override { return 4; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    const double p = y * rho;
    return {.value = conjugate(y, rho), .d_rho = y * (std::log(p) - std::log1p(-p)), .d_rho_rho = 1 / (p * (1 - p))};
  }
  Interval smooth_domain(double y) const override { return dual_domain(y); }
};

}  // namespace

LossType logistic_loss() {
  return {.name = "logistic",
          .labels = LabelKind::two_classes,
          .description = "log(1 + exp(−yz)), whose scores are log-odds and give probabilities",
          .log_odds = true,
          .make = [](const LossParameters&) -> std::unique_ptr<Loss> { return std::make_unique<LogisticLoss>(); }};
}

}  // namespace spicymkl
