// G(x) = alpha·x²/2: every kernel has weight 1 (Table 3), the plain sum of kernels.
#include "parameters.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class UniformRegularizer final : public Regularizer {
 public:
  explicit UniformRegularizer(double alpha) : alpha_(checked_alpha(alpha)) {}

  std::string_view name() const override { return "uniform"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override { return alpha_ * x * x / 2; }
  double conjugate(double u) const override { return u * u / (2 * alpha_); }
  double prox(double v, double gamma) const override { return v / (1 + gamma * alpha_); }
  double prox_slope(double, double gamma) const override { return 1 / (1 + gamma * alpha_); }
  double weight(double) const override { return 1; }
  bool has_weight_price() const override { return true; }
  CurvedValue weight_price(double) const override { return {}; }  // weights are free up to 1
  double largest_weight() const override { return 1; }
  bool has_smooth_dual() const override { return true; }
  double conjugate_slope(double u) const override { return u / alpha_; }
  double conjugate_curvature(double) const override { return 1 / alpha_; }
  double threshold() const override { return 0; }

 private:
  double alpha_;
};

}  // namespace

RegularizerType uniform_penalty() {
  return {.name = "uniform",
          .description = "alpha·x²/2, the plain sum of kernels",
          .fixed = {{"l1_ratio", 0}, {"q", 2}},
          .make = [](const RegularizerParameters& p) -> std::unique_ptr<Regularizer> {
            return std::make_unique<UniformRegularizer>(p.alpha);
          }};
}

}  // namespace spicymkl
