// G(x) = alpha·x: the block 1-norm of Section 2.2, which selects kernels.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

class Block1Regularizer final : public Regularizer {
 public:
  explicit Block1Regularizer(double alpha);

  std::string_view name() const override { return "block1"; }
  double alpha() const override { return alpha_; }
  double value(double x) const override;
  double conjugate(double u) const override;
  double prox(double v, double gamma) const override;
  double prox_slope(double v, double gamma) const override;
  double weight(double x) const override;
  double envelope(double v, double gamma) const override;
  bool has_smooth_dual() const override { return false; }
  double dual_bound() const override { return alpha_; }
  double threshold() const override { return alpha_; }

 private:
  double alpha_;
};

}  // namespace spicymkl
