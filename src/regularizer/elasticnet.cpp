// G(x) = alpha(κx + (1−κ)x²/2) with κ = l1_ratio, Eq. (43): κ = 1 is block1, κ = 0 is uniform.
#include <algorithm>

#include "parameters.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class ElasticNetRegularizer final : public Regularizer {
 public:
  ElasticNetRegularizer(double alpha, double l1_ratio)
      : alpha_(checked_alpha(alpha)), l1_ratio_(checked_l1_ratio(l1_ratio)) {}

  std::string_view name() const override { return "elasticnet"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override { return alpha_ * (l1_ratio_ * x + (1 - l1_ratio_) * x * x / 2); }
  double conjugate(double u) const override {  // Eq. (46)
    if (u <= threshold()) return 0;
    if (l1_ratio_ == 1) return std::numeric_limits<double>::infinity();
    const double excess = u - threshold();
    return excess * excess / (2 * alpha_ * (1 - l1_ratio_));
  }
  double prox(double v, double gamma) const override {  // Section 4.2
    return std::max(v - gamma * threshold(), 0.0) * prox_slope(v, gamma);
  }
  double prox_slope(double v, double gamma) const override {
    return v > gamma * threshold() ? 1 / (1 + gamma * alpha_ * (1 - l1_ratio_)) : 0;
  }
  double weight(double x) const override { return x > 0 ? x / (l1_ratio_ + (1 - l1_ratio_) * x) : 0; }
  bool has_weight_price() const override { return true; }
  CurvedValue weight_price(double d) const override {  // κ²d/(1 − (1−κ)d)
    const double room = 1 - (1 - l1_ratio_) * d, slope = l1_ratio_ * l1_ratio_ / (room * room);
    return {slope * d * room, slope, 2 * (1 - l1_ratio_) * slope / room};
  }
  double largest_weight() const override { return 1 / (1 - l1_ratio_); }
  double envelope(double v, double gamma) const override {
    return 0.5 * prox(v, gamma) * std::max(v - gamma * threshold(), 0.0);
  }
  bool has_smooth_dual() const override { return l1_ratio_ < 1; }
  double conjugate_slope(double u) const override {
    return std::max(u - threshold(), 0.0) / (alpha_ * (1 - l1_ratio_));
  }
  double conjugate_curvature(double u) const override { return u > threshold() ? 1 / (alpha_ * (1 - l1_ratio_)) : 0; }
  double dual_bound() const override { return l1_ratio_ < 1 ? std::numeric_limits<double>::infinity() : alpha_; }
  double threshold() const override { return alpha_ * l1_ratio_; }

 private:
  double alpha_;
  double l1_ratio_;
};

}  // namespace

RegularizerType elasticnet_penalty() {
  return {.name = "elasticnet",
          .description = "alpha·(l1_ratio·x + (1 − l1_ratio)·x²/2), which selects, and shares among similar ones",
          .parameters = {"l1_ratio"},
          .fixed = {{"q", 1}},
          .make = [](const RegularizerParameters& p) -> std::unique_ptr<Regularizer> {
            return std::make_unique<ElasticNetRegularizer>(p.alpha, p.l1_ratio);
          }};
}

}  // namespace spicymkl
