// Losses with a conjugate that is linear between two bounds, made smooth: −yρ − 2·width·√((p − a)(b − p)) on a ≤ p ≤ b.
// With a = 0, b = 1 the hinge loss max(t, 0), t = 1 − yz, becomes (t + √(t² + 4·width²))/2. Its slope nears 0 and 1
// slowly: dual values of samples far from the kink stay off the bounds by more than rounding, which those of the
// logistic function do not, and the infinite slope of the conjugate at the bounds keeps Newton's method inside, as in
// Eq. (16).
#pragma once

#include <algorithm>
#include <cmath>

#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class SoftBoxLoss final : public Loss {
 public:
  /// Bounds a, b of p, which is yρ for classes and ρ for numbers, are finite.
  SoftBoxLoss(LabelKind labels, Interval bounds, double width, int n_smoother = 4)
      : labels_(labels), bounds_(bounds), width_(width), n_smoother_(n_smoother) {}

  std::string_view name() const override { return "soft box"; }
  LabelKind labels() const override { return labels_; }
  double value(double y, double z) const override {
    const double t = residual(y, z), tail = 2 * width_ * width_ / (root(t) + std::abs(t));  // what is beyond max(t, 0)
    return bounds_.lower * t + length() * (std::max(t, 0.0) + tail);
  }
  double dual_point(double y, double z) const override {
    const double t = residual(y, z), rest = 2 * width_ * width_ / (root(t) * (root(t) + std::abs(t)));
    return sign(y) * (t > 0 ? bounds_.upper - length() * rest : bounds_.lower + length() * rest);
  }
  double conjugate(double y, double rho) const override {
    const double u = share(y, rho);
    if (!(u >= 0 && u <= 1)) return std::numeric_limits<double>::infinity();
    return -y * rho - 2 * width_ * length() * std::sqrt(u * (1 - u));
  }
  Interval dual_domain(double y) const override {
    return sign(y) > 0 ? bounds_ : Interval{-bounds_.upper, -bounds_.lower};
  }
  double conjugate_convexity() const override { return 4 * width_ / length(); }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    const double u = share(y, rho), half_chord = std::sqrt(u * (1 - u));
    return {.value = conjugate(y, rho),
            .d_rho = -y - sign(y) * width_ * (1 - 2 * u) / half_chord,
            .d_rho_rho = width_ / (2 * length() * half_chord * half_chord * half_chord)};
  }
  Interval smooth_domain(double y) const override { return dual_domain(y); }
  std::unique_ptr<Loss> smoother() const override {
    constexpr double kTimes = 2.5;
    if (n_smoother_ == 0) return nullptr;
    return std::make_unique<SoftBoxLoss>(labels_, bounds_, kTimes * width_, n_smoother_ - 1);
  }

 private:
  double sign(double y) const { return labels_ == LabelKind::two_classes ? y : 1; }
  double length() const { return bounds_.upper - bounds_.lower; }
  /// What p multiplies in −ρz − ℓ*(y, −ρ).
  double residual(double y, double z) const { return labels_ == LabelKind::two_classes ? 1 - y * z : y - z; }
  double root(double t) const { return std::sqrt(t * t + 4 * width_ * width_); }
  double share(double y, double rho) const { return (sign(y) * rho - bounds_.lower) / length(); }

  LabelKind labels_;
  Interval bounds_;
  double width_;
  int n_smoother_;  ///< how many there are
};

}  // namespace spicymkl
