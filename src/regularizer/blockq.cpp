// G(x) = alpha·x^q/q with q > 1 (Section 4.1): no kernel is switched off, weights d = x^(2−q).
// For q > 2 the conjugate is not twice differentiable at 0, so that such problems go through the proximal loop.
#include <algorithm>
#include <cmath>

#include "parameters.hpp"
#include "spicymkl/regularizer/power_root.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class BlockQRegularizer final : public Regularizer {
 public:
  BlockQRegularizer(double alpha, double q);

  std::string_view name() const override { return "blockq"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override;
  double conjugate(double u) const override;
  double prox(double v, double gamma) const override;
  double prox_slope(double v, double gamma) const override;
  double weight(double x) const override;
  bool has_smooth_dual() const override { return q_ <= 2; }
  double conjugate_slope(double u) const override;
  double conjugate_curvature(double u) const override;
  double threshold() const override { return 0; }

 private:
  double alpha_;
  double q_;
};

BlockQRegularizer::BlockQRegularizer(double alpha, double q) : alpha_(checked_alpha(alpha)), q_(checked_q(q)) {}

double BlockQRegularizer::value(double x) const { return alpha_ * std::pow(x, q_) / q_; }

// With r = q/(q−1): G*(u) = alpha·(u/alpha)^r/r.
double BlockQRegularizer::conjugate(double u) const {
  const double r = q_ / (q_ - 1);
  return alpha_ * std::pow(u / alpha_, r) / r;
}

double BlockQRegularizer::conjugate_slope(double u) const { return std::pow(u / alpha_, 1 / (q_ - 1)); }

double BlockQRegularizer::conjugate_curvature(double u) const {
  const double slope_exponent = 1 / (q_ - 1);
  return slope_exponent / alpha_ * std::pow(u / alpha_, slope_exponent - 1);
}

double BlockQRegularizer::prox(double v, double gamma) const { return power_root(1, gamma * alpha_, q_, v); }

// 1/(1 + gamma·G″(x)) with gamma·G″(x) = (q−1)·gamma·G′(x)/x = (q−1)(v−x)/x, which forms no power of x.
double BlockQRegularizer::prox_slope(double v, double gamma) const {
  const double x = prox(v, gamma);
  return x > 0 ? x / (x + (q_ - 1) * std::max(v - x, 0.0)) : 0;
}

double BlockQRegularizer::weight(double x) const { return x > 0 ? finite_weight(std::pow(x, 2 - q_)) : 0; }

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
