// G(x) = alpha·x^q/q with q > 1 (Section 4.1): no kernel is switched off, weights d = x^(2−q).
// For q > 2 the conjugate is not twice differentiable at 0, so that such problems go through the proximal loop.
#include <algorithm>
#include <cmath>

#include "parameters.hpp"
#include "power_root.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class BlockQRegularizer final : public Regularizer {
 public:
  BlockQRegularizer(double alpha, double q) : alpha_(checked_alpha(alpha)), q_(checked_q(q)) {}

  std::string_view name() const override { return "blockq"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override { return alpha_ * std::pow(x, q_) / q_; }
  // With r = q/(q−1): G*(u) = alpha·(u/alpha)^r/r.
  double conjugate(double u) const override {
    const double r = q_ / (q_ - 1);
    return alpha_ * std::pow(u / alpha_, r) / r;
  }
  double prox(double v, double gamma) const override { return power_root(1, gamma * alpha_, q_, v); }
  // 1/(1 + gamma·G″(x)) with gamma·G″(x) = (q−1)·gamma·G′(x)/x = (q−1)(v−x)/x, which forms no power of x.
  double prox_slope(double v, double gamma) const override {
    const double x = prox(v, gamma);
    return x > 0 ? x / (x + (q_ - 1) * std::max(v - x, 0.0)) : 0;
  }
  double weight(double x) const override { return x > 0 ? finite_weight(std::pow(x, 2 - q_)) : 0; }
  bool has_weight_price() const override { return q_ <= 2; }
  CurvedValue weight_price(double d) const override {  // d^p/p with p = q/(2−q)
    if (q_ == 2) return {};
    const double p = q_ / (2 - q_);
    return {std::pow(d, p) / p, std::pow(d, p - 1), (p - 1) * std::pow(d, p - 2)};
  }
  double largest_weight() const override { return q_ < 2 ? std::numeric_limits<double>::infinity() : 1; }
  bool has_smooth_dual() const override { return q_ <= 2; }
  double conjugate_slope(double u) const override { return std::pow(u / alpha_, 1 / (q_ - 1)); }
  double conjugate_curvature(double u) const override {
    const double slope_exponent = 1 / (q_ - 1);
    return slope_exponent / alpha_ * std::pow(u / alpha_, slope_exponent - 1);
  }
  double threshold() const override { return 0; }

 private:
  double alpha_;
  double q_;
};

}  // namespace

RegularizerType blockq_penalty() {
  return {.name = "blockq",
          .description = "alpha·x^q/q, which keeps all, with uneven weights",
          .parameters = {"q"},
          .fixed = {{"l1_ratio", 1}},
          .make = [](const RegularizerParameters& p) -> std::unique_ptr<Regularizer> {
            return std::make_unique<BlockQRegularizer>(p.alpha, p.q);
          }};
}

}  // namespace spicymkl
