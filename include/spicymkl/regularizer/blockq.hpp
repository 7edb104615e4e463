// G(x) = alpha·x^q/q with q > 1 (Section 4.1): no kernel is switched off, weights d = x^(2−q).
// For q > 2 the conjugate is not twice differentiable at 0, so that such problems go through the proximal loop.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

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

}  // namespace spicymkl
