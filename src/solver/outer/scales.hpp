// Natural sizes of a problem's quantities, from which the proximity parameters start.
#pragma once

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

struct Scales {
  Problem::Constant constant;   ///< best constant predictor, where every run starts
  double prediction = 1;        ///< size of a prediction z_i
  double curvature = 1;         ///< prediction over dual value: size of ∂²ℓ*
  double constraint_gamma = 1;  ///< first γ_ξ
};

/// Reads no kernel.
Scales estimate_scales(const Problem& problem);

/// The first γ of the kernels. Reads every kernel once.
double first_gamma(const Problem& problem);

}  // namespace spicymkl
