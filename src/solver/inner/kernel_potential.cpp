#include "kernel_potential.hpp"

#include <cmath>

namespace spicymkl {

double KernelPotential::value(double n) const {
  return std::isinf(gamma) ? regularizer->conjugate(n) : regularizer->envelope(gamma * n, gamma) / gamma;
}

double KernelPotential::slope(double n) const {
  return std::isinf(gamma) ? regularizer->conjugate_slope(n) : regularizer->prox(gamma * n, gamma);
}

double KernelPotential::curvature(double n) const {
  return std::isinf(gamma) ? regularizer->conjugate_curvature(n) : gamma * regularizer->prox_slope(gamma * n, gamma);
}

}  // namespace spicymkl
