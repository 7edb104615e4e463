// The ε-insensitive loss made smooth: −yρ + ε(√(ρ² + δ²) − δ) − 2·width·√(1 − ρ²) on |ρ| ≤ 1 in place of −yρ + ε|ρ|.
// The root at the ends is that of the soft box, which keeps Newton's method inside; the other one rounds the kink at 0,
// that of samples inside the tube. δ is such that these depart from 0 about as much as samples do that are as far from
// a kink outside.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/monotone_root.hpp"
#include "spicymkl/loss/loss.hpp"

namespace spicymkl {

class SoftTubeLoss final : public Loss {
 public:
  SoftTubeLoss(double epsilon, double width, int n_smoother = 4)
      : epsilon_(epsilon), width_(width), n_smoother_(n_smoother) {
    if (epsilon > width) delta_ = width / epsilon * (width / epsilon);
  }

  std::string_view name() const override { return "soft tube"; }
  LabelKind labels() const override { return LabelKind::real; }
  double value(double y, double z) const override {
    const double t = std::abs(y - z), v = slope_at(t), cosine = 1 / std::sqrt(1 + v * v), rho = v * cosine;
    return rho * t - epsilon_ * (std::hypot(rho, delta_) - delta_) + 2 * width_ * cosine;
  }
  double dual_point(double y, double z) const override {
    const double v = slope_at(std::abs(y - z));
    return std::copysign(v / std::sqrt(1 + v * v), y - z);
  }
  double conjugate(double y, double rho) const override {
    if (!(std::abs(rho) <= 1)) return std::numeric_limits<double>::infinity();
    return -y * rho + epsilon_ * (std::hypot(rho, delta_) - delta_) - 2 * width_ * half_chord(rho);
  }
  Interval dual_domain(double) const override { return {-1, 1}; }
  double conjugate_convexity() const override { return 2 * width_; }
  DualTerm smooth_conjugate(double y, double rho, double) const override {
    const double chord = half_chord(rho), radius = std::hypot(rho, delta_), share = delta_ / radius;
    return {.value = conjugate(y, rho),
            .d_rho = -y + epsilon_ * rho / radius + 2 * width_ * rho / chord,
            .d_rho_rho = epsilon_ * share * share / radius + 2 * width_ / (chord * chord * chord)};
  }
  Interval smooth_domain(double y) const override { return dual_domain(y); }
  std::unique_ptr<Loss> smoother() const override {
    constexpr double kTimes = 2.5;
    if (n_smoother_ == 0) return nullptr;
    return std::make_unique<SoftTubeLoss>(epsilon_, kTimes * width_, n_smoother_ - 1);
  }

 private:
  static double half_chord(double rho) { return std::sqrt((1 - rho) * (1 + rho)); }
  /// v = ρ/√(1 − ρ²) of the ρ that belongs to a residual t ≥ 0: εv/√(δ² + (1 + δ²)v²) + 2·width·v = t.
  double slope_at(double t) const {
    const double square = delta_ * delta_;
    const auto excess = [&](double v) -> SlopedValue {
      const double root = std::sqrt(square + (1 + square) * v * v);
      return {epsilon_ * v / root + 2 * width_ * v - t, epsilon_ * square / (root * root * root) + 2 * width_};
    };
    const double least = std::max(t / (epsilon_ / delta_ + 2 * width_), (t - epsilon_) / (2 * width_));
    return monotone_root(excess, least, t / (2 * width_), least);
  }

  double epsilon_;
  double width_;
  double delta_ = 1;
  int n_smoother_;  ///< how many there are
};

}  // namespace spicymkl
