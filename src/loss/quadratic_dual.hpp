// What the losses of support vector machines and of least squares share: a conjugate that is a quadratic function
// between two bounds.
#pragma once

#include "soft_box.hpp"

namespace spicymkl {

/// ℓ*(y, −ρ) = −yρ + curvature·ρ²/2 where p is within its bounds, which may be infinite; p = yρ for classes, and
/// p = ρ for numbers. Every finite bound is a constraint (Section 3.4.1), the upper one first: with the hinge loss
/// their multipliers are the slacks ξ of p ≤ 1 and ζ of p ≥ 0.
class QuadraticDualLoss : public Loss {
 public:
  LabelKind labels() const final { return labels_; }
  double conjugate(double y, double rho) const final {
    const double p = sign(y) * rho;
    return p >= bounds_.lower && p <= bounds_.upper ? smooth_conjugate(y, rho, 0).value : kInfinity;
  }
  Interval dual_domain(double y) const final {
    return sign(y) > 0 ? bounds_ : Interval{-bounds_.upper, -bounds_.lower};
  }
  double conjugate_convexity() const final { return curvature_; }
  bool has_svm_dual() const final { return n_constraints() > 0; }
  bool has_linear_dual() const final { return n_constraints() == 0 && curvature_ > 0; }
  std::unique_ptr<Loss> smoothed(double width) const final {
    if (curvature_ > 0 || !has_upper() || bounds_.lower == -kInfinity) return nullptr;
    return std::make_unique<SoftBoxLoss>(labels_, bounds_, width);
  }
  DualTerm smooth_conjugate(double y, double rho, double) const final {
    return {.value = -y * rho + curvature_ / 2 * rho * rho, .d_rho = -y + curvature_ * rho, .d_rho_rho = curvature_};
  }
  int n_constraints() const final { return has_upper() + (bounds_.lower > -kInfinity); }
  DualTerm constraint(int j, double y, double rho, double) const final {
    if (j == 0 && has_upper()) return {.value = sign(y) * rho - bounds_.upper, .d_rho = sign(y)};
    return {.value = bounds_.lower - sign(y) * rho, .d_rho = -sign(y)};
  }

 protected:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  QuadraticDualLoss(LabelKind labels, Interval bounds, double curvature)
      : labels_(labels), bounds_(bounds), curvature_(curvature) {}

 private:
  double sign(double y) const { return labels_ == LabelKind::two_classes ? y : 1; }
  bool has_upper() const { return bounds_.upper < kInfinity; }

  LabelKind labels_;
  Interval bounds_;  // of p
  double curvature_;
};

}  // namespace spicymkl
