#include "spicymkl/regularizer/uniform.hpp"

#include "parameters.hpp"

namespace spicymkl {

UniformRegularizer::UniformRegularizer(double alpha) : alpha_(checked_alpha(alpha)) {}

double UniformRegularizer::value(double x) const { return alpha_ * x * x / 2; }

double UniformRegularizer::conjugate(double u) const { return u * u / (2 * alpha_); }

double UniformRegularizer::conjugate_slope(double u) const { return u / alpha_; }

double UniformRegularizer::conjugate_curvature(double) const { return 1 / alpha_; }

double UniformRegularizer::prox(double v, double gamma) const { return v / (1 + gamma * alpha_); }

double UniformRegularizer::prox_slope(double, double gamma) const { return 1 / (1 + gamma * alpha_); }

double UniformRegularizer::weight(double) const { return 1; }

}  // namespace spicymkl
