// G(x) = alpha·x: the block 1-norm of Section 2.2, which selects kernels.
#include <algorithm>

#include "parameters.hpp"
#include "types.hpp"

namespace spicymkl {

namespace {

class Block1Regularizer final : public Regularizer {
 public:
  explicit Block1Regularizer(double alpha) : alpha_(checked_alpha(alpha)) {}

  std::string_view name() const override { return "block1"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override { return alpha_ * x; }
  double conjugate(double u) const override {  // Eq. (21)
    return u <= alpha_ ? 0 : std::numeric_limits<double>::infinity();
  }
  double prox(double v, double gamma) const override {  // soft threshold, Eq. (13)
    return std::max(v - gamma * alpha_, 0.0);
  }
  double prox_slope(double v, double gamma) const override { return v > gamma * alpha_ ? 1 : 0; }
  double weight(double x) const override { return x; }
  bool has_weight_price() const override { return true; }
  CurvedValue weight_price(double d) const override { return {.value = d, .slope = 1}; }
  double envelope(double v, double gamma) const override {  // Eq. (22), with the factor ½ it lacks
    const double x = prox(v, gamma);
    return 0.5 * x * x;
  }
  bool has_smooth_dual() const override { return false; }
  double dual_bound() const override { return alpha_; }
  double threshold() const override { return alpha_; }

 private:
  double alpha_;
};

}  // namespace

RegularizerType block1_penalty() {
  return {.name = "block1",
          .description = "alpha·x, which selects kernels",
          .fixed = {{"l1_ratio", 1}, {"q", 1}},
          .make = [](const RegularizerParameters& p) -> std::unique_ptr<Regularizer> {
            return std::make_unique<Block1Regularizer>(p.alpha);
          }};
}

}  // namespace spicymkl
