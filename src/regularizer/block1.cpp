#include "spicymkl/regularizer/block1.hpp"

#include <algorithm>

#include "parameters.hpp"

namespace spicymkl {

Block1Regularizer::Block1Regularizer(double alpha) : alpha_(checked_alpha(alpha)) {}

double Block1Regularizer::value(double x) const { return alpha_ * x; }

double Block1Regularizer::conjugate(double u) const {  // Eq. (21)
  return u <= alpha_ ? 0 : std::numeric_limits<double>::infinity();
}

double Block1Regularizer::prox(double v, double gamma) const {  // soft threshold, Eq. (13)
  return std::max(v - gamma * alpha_, 0.0);
}

double Block1Regularizer::prox_slope(double v, double gamma) const { return v > gamma * alpha_ ? 1 : 0; }

double Block1Regularizer::envelope(double v, double gamma) const {  // Eq. (22), with the factor ½ it lacks
  const double x = prox(v, gamma);
  return 0.5 * x * x;
}

double Block1Regularizer::weight(double x) const { return x; }

}  // namespace spicymkl
