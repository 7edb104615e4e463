// G(x) = alpha·x²/2: every kernel has weight 1 (Table 3), the plain sum of kernels.
#include "parameters.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class UniformRegularizer final : public Regularizer {
 public:
  explicit UniformRegularizer(double alpha);

  std::string_view name() const override { return "uniform"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override;
  double conjugate(double u) const override;
  double prox(double v, double gamma) const override;
  double prox_slope(double v, double gamma) const override;
  double weight(double x) const override;
  bool has_smooth_dual() const override { return true; }
  double conjugate_slope(double u) const override;
  double conjugate_curvature(double u) const override;
  double threshold() const override { return 0; }

 private:
  double alpha_;
};

UniformRegularizer::UniformRegularizer(double alpha) : alpha_(checked_alpha(alpha)) {}

double UniformRegularizer::value(double x) const { return alpha_ * x * x / 2; }

double UniformRegularizer::conjugate(double u) const { return u * u / (2 * alpha_); }

double UniformRegularizer::conjugate_slope(double u) const { return u / alpha_; }

double UniformRegularizer::conjugate_curvature(double) const { return 1 / alpha_; }

double UniformRegularizer::prox(double v, double gamma) const { return v / (1 + gamma * alpha_); }

double UniformRegularizer::prox_slope(double, double gamma) const { return 1 / (1 + gamma * alpha_); }

double UniformRegularizer::weight(double) const { return 1; }

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
