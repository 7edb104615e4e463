// One kernel's part of the inner objective, as a function of its norm.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"

namespace spicymkl {

/// θ(n) = (1/γ)·E(γn) with E the Moreau envelope of Section 4.2, so that θ′(n) = prox_γ(γn) and θ″(n) = γ·prox_γ′(γn).
/// For γ = ∞ this is the conjugate G* itself: the one-step objective, Eq. (48), is the proximal one with infinite γ and
/// a = 0.
struct KernelPotential {
  const Regularizer* regularizer;
  double gamma;

  double value(double n) const;
  double slope(double n) const;
  double curvature(double n) const;
};

}  // namespace spicymkl
