// G(x) = alpha(κx + (1−κ)x²/2) with κ = l1_ratio, Eq. (43): κ = 1 is block1, κ = 0 is uniform.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

class ElasticNetRegularizer final : public Regularizer {
 public:
  ElasticNetRegularizer(double alpha, double l1_ratio);

  std::string_view name() const override { return "elasticnet"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override;
  double conjugate(double u) const override;
  double prox(double v, double gamma) const override;
  double prox_slope(double v, double gamma) const override;
  double weight(double x) const override;
  double envelope(double v, double gamma) const override;
  bool has_smooth_dual() const override { return l1_ratio_ < 1; }
  double conjugate_slope(double u) const override;
  double conjugate_curvature(double u) const override;
  double dual_bound() const override;
  double threshold() const override { return alpha_ * l1_ratio_; }

 private:
  double alpha_;
  double l1_ratio_;
};

}  // namespace spicymkl
