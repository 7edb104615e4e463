#include "spicymkl/regularizer/elasticnet.hpp"

#include <algorithm>

#include "parameters.hpp"

namespace spicymkl {

ElasticNetRegularizer::ElasticNetRegularizer(double alpha, double l1_ratio)
    : alpha_(checked_alpha(alpha)), l1_ratio_(checked_l1_ratio(l1_ratio)) {}

double ElasticNetRegularizer::value(double x) const { return alpha_ * (l1_ratio_ * x + (1 - l1_ratio_) * x * x / 2); }

double ElasticNetRegularizer::dual_bound() const {
  return l1_ratio_ < 1 ? std::numeric_limits<double>::infinity() : alpha_;
}

double ElasticNetRegularizer::conjugate(double u) const {  // Eq. (46)
  if (u <= threshold()) return 0;
  if (l1_ratio_ == 1) return std::numeric_limits<double>::infinity();
  const double excess = u - threshold();
  return excess * excess / (2 * alpha_ * (1 - l1_ratio_));
}

double ElasticNetRegularizer::conjugate_slope(double u) const {
  return std::max(u - threshold(), 0.0) / (alpha_ * (1 - l1_ratio_));
}

double ElasticNetRegularizer::conjugate_curvature(double u) const {
  return u > threshold() ? 1 / (alpha_ * (1 - l1_ratio_)) : 0;
}

double ElasticNetRegularizer::prox(double v, double gamma) const {  // Section 4.2
  return std::max(v - gamma * threshold(), 0.0) * prox_slope(v, gamma);
}

double ElasticNetRegularizer::prox_slope(double v, double gamma) const {
  return v > gamma * threshold() ? 1 / (1 + gamma * alpha_ * (1 - l1_ratio_)) : 0;
}

double ElasticNetRegularizer::envelope(double v, double gamma) const {
  return 0.5 * prox(v, gamma) * std::max(v - gamma * threshold(), 0.0);
}

double ElasticNetRegularizer::weight(double x) const { return x > 0 ? x / (l1_ratio_ + (1 - l1_ratio_) * x) : 0; }

}  // namespace spicymkl
