#include "spicymkl/regularizer/mixed.hpp"

#include <cmath>

#include "parameters.hpp"
#include "spicymkl/regularizer/power_root.hpp"

namespace spicymkl {

MixedRegularizer::MixedRegularizer(double alpha, double l1_ratio, double q)
    : alpha_(checked_alpha(alpha)), l1_ratio_(checked_l1_ratio(l1_ratio)), q_(checked_q(q)) {}

double MixedRegularizer::slope(double x) const { return l1_ratio_ * std::pow(x, q_ - 1) + (1 - l1_ratio_) * x; }

double MixedRegularizer::curvature(double x) const {
  const double power = l1_ratio_ > 0 ? l1_ratio_ * (q_ - 1) * std::pow(x, q_ - 2) : 0;
  return power + (1 - l1_ratio_);
}

double MixedRegularizer::value(double x) const {
  return alpha_ * (l1_ratio_ * std::pow(x, q_) / q_ + (1 - l1_ratio_) * x * x / 2);
}

double MixedRegularizer::conjugate_slope(double u) const {
  return power_root(alpha_ * (1 - l1_ratio_), alpha_ * l1_ratio_, q_, u);
}

double MixedRegularizer::conjugate_curvature(double u) const { return 1 / (alpha_ * curvature(conjugate_slope(u))); }

double MixedRegularizer::conjugate(double u) const {
  const double x = conjugate_slope(u);
  return u * x - value(x);
}

double MixedRegularizer::prox(double v, double gamma) const {
  return power_root(1 + gamma * alpha_ * (1 - l1_ratio_), gamma * alpha_ * l1_ratio_, q_, v);
}

double MixedRegularizer::prox_slope(double v, double gamma) const {
  return 1 / (1 + gamma * alpha_ * curvature(prox(v, gamma)));
}

double MixedRegularizer::weight(double x) const { return x > 0 ? x / slope(x) : 0; }

}  // namespace spicymkl
