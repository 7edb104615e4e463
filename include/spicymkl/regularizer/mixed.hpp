// G(x) = alpha(κx^q/q + (1−κ)x²/2) with κ = l1_ratio and q > 1: the family of Kloft, Rückert and Bartlett that the
// paper names at the end of Section 4.3. κ = 1 is blockq, κ = 0 is uniform.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

class MixedRegularizer final : public Regularizer {
 public:
  MixedRegularizer(double alpha, double l1_ratio, double q);

  std::string_view name() const override { return "mixed"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override;
  double conjugate(double u) const override;
  double prox(double v, double gamma) const override;
  double prox_slope(double v, double gamma) const override;
  double weight(double x) const override;
  bool has_smooth_dual() const override { return q_ <= 2 || l1_ratio_ < 1; }
  double conjugate_slope(double u) const override;
  double conjugate_curvature(double u) const override;
  double threshold() const override { return 0; }

 private:
  double alpha_;
  double l1_ratio_;
  double q_;
};

}  // namespace spicymkl
