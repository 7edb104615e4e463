// G(x) = alpha·x²/2: every kernel has weight 1 (Table 3), the plain sum of kernels.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

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

}  // namespace spicymkl
