// Losses with a conjugate that is linear between two bounds, made smooth: −yρ − width·(b − a)·H((p − a)/(b − a)) on
// a ≤ p ≤ b, H the entropy −u log u − (1 − u) log(1 − u). With a = 0, b = 1 this is to the hinge loss what the logistic
// loss is: width·log(1 + exp((1 − yz)/width)). The entropy keeps Newton's method inside the bounds, as in Eq. (16).
#pragma once

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
    const double t = residual(y, z);
    // log(1 + e^{t/width}) without overflow on either side.
    const double soft =
        t > 0 ? t + width_ * std::log1p(std::exp(-t / width_)) : width_ * std::log1p(std::exp(t / width_));
    return bounds_.lower * t + length() * soft;
  }
  double dual_point(double y, double z) const override {
    return sign(y) * (bounds_.lower + length() / (1 + std::exp(-residual(y, z) / width_)));
  }
  double conjugate(double y, double rho) const override {
    const double u = share(y, rho);
    if (!(u >= 0 && u <= 1)) return std::numeric_limits<double>::infinity();
    const double head = u > 0 ? u * std::log(u) : 0, tail = u < 1 ? (1 - u) * std::log1p(-u) : 0;
    return -y * rho + width_ * length() * (head + tail);
  }
  Interval dual_domain(double y) const override {
    return sign(y) > 0 ? bounds_ : Interval{-bounds_.upper, -bounds_.lower};
  }
  double conjugate_convexity() const override { return 4 * width_ / length(); }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    const double u = share(y, rho);
    return {.value = conjugate(y, rho),
            .d_rho = -y + sign(y) * width_ * (std::log(u) - std::log1p(-u)),
            .d_rho_rho = width_ / (length() * u * (1 - u))};
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
  double share(double y, double rho) const { return (sign(y) * rho - bounds_.lower) / length(); }

  LabelKind labels_;
  Interval bounds_;
  double width_;
  int n_smoother_;  ///< how many there are
};

}  // namespace spicymkl
