// G(x) = alpha(κx^q/q + (1−κ)x²/2) with κ = l1_ratio and q > 1: the family of Kloft, Rückert and Bartlett that the
// paper names at the end of Section 5. κ = 1 is blockq, κ = 0 is uniform.
#include <algorithm>
#include <cmath>

#include "parameters.hpp"
#include "power_root.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class MixedRegularizer final : public Regularizer {
 public:
  MixedRegularizer(double alpha, double l1_ratio, double q)
      : alpha_(checked_alpha(alpha)), l1_ratio_(checked_l1_ratio(l1_ratio)), q_(checked_q(q)) {}

  std::string_view name() const override { return "mixed"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override {
    return alpha_ * (l1_ratio_ * std::pow(x, q_) / q_ + (1 - l1_ratio_) * x * x / 2);
  }
  // ux − G(x) at x = G*′(u), written without a difference: the parts of G′(x) times x, less the parts of G(x).
  double conjugate(double u) const override {
    const double x = conjugate_slope(u);
    const double linear = std::min(alpha_ * (1 - l1_ratio_) * x, u);
    return x * (linear / 2 + (u - linear) * (q_ - 1) / q_);
  }
  double prox(double v, double gamma) const override {
    return power_root(1 + gamma * alpha_ * (1 - l1_ratio_), gamma * alpha_ * l1_ratio_, q_, v);
  }
  // As conjugate_curvature, with the parts of x + gamma·G′(x) = v.
  double prox_slope(double v, double gamma) const override {
    const double x = prox(v, gamma);
    if (x == 0) return 0;
    const double linear = std::min((1 + gamma * alpha_ * (1 - l1_ratio_)) * x, v);
    return x / (linear + (q_ - 1) * (v - linear));
  }
  double weight(double x) const override {
    if (x <= 0) return 0;
    const double power = l1_ratio_ > 0 ? l1_ratio_ * std::pow(x, q_ - 2) : 0;
    return finite_weight(1 / (power + (1 - l1_ratio_)));
  }
  bool has_weight_price() const override { return q_ <= 2; }
  // h = 2G(x)/alpha − x²/d = κ(2/q − 1)x^q at the norm x with weight d, where x^(2−q) = κd/(1 − (1−κ)d).
  CurvedValue weight_price(double d) const override {
    if (q_ == 2 || l1_ratio_ == 0) return {};
    const double room = 1 - (1 - l1_ratio_) * d, p = q_ / (2 - q_), factor = std::pow(l1_ratio_ / room, 2 / (2 - q_));
    return {.value = l1_ratio_ * (2 / q_ - 1) * std::pow(l1_ratio_ * d / room, p),
            .slope = factor * std::pow(d, p - 1),
            .curvature = 2 * factor * std::pow(d, p - 2) * (1 / ((2 - q_) * room) - 1)};
  }
  double largest_weight() const override { return q_ < 2 ? 1 / (1 - l1_ratio_) : 1; }
  bool has_smooth_dual() const override { return q_ <= 2 || l1_ratio_ < 1; }
  double conjugate_slope(double u) const override {
    return power_root(alpha_ * (1 - l1_ratio_), alpha_ * l1_ratio_, q_, u);
  }
  // 1/G″(x) at x = G*′(u), where x·G″(x) = linear + (q−1)·power with linear + power = u, the two parts of G′(x).
  double conjugate_curvature(double u) const override {
    const double x = conjugate_slope(u);
    if (x == 0) return l1_ratio_ > 0 && q_ < 2 ? 0 : 1 / (alpha_ * (1 - l1_ratio_));
    const double linear = std::min(alpha_ * (1 - l1_ratio_) * x, u);
    return x / (linear + (q_ - 1) * (u - linear));
  }
  double threshold() const override { return 0; }

 private:
  double alpha_;
  double l1_ratio_;
  double q_;
};

}  // namespace

RegularizerType mixed_penalty() {
  return {.name = "mixed",
          .description = "alpha·(l1_ratio·x^q/q + (1 − l1_ratio)·x²/2), between blockq and uniform",
          .parameters = {"l1_ratio", "q"},
          .make = [](const RegularizerParameters& p) -> std::unique_ptr<Regularizer> {
            return std::make_unique<MixedRegularizer>(p.alpha, p.l1_ratio, p.q);
          }};
}

}  // namespace spicymkl
