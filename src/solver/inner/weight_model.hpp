// A quadratic model over kernel weights or norms, which are few and not negative.
#pragma once

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// d in [0, upper] that minimises slopeᵀ(d − start) + (d − start)ᵀH(d − start)/2, by coordinate descent and Newton
/// steps over the weights between their bounds. `start` lies within them.
Vector minimise_model(const Vector& slope, const Matrix& H, const Vector& start, const Vector& upper);

/// What some hundred sweeps of coordinate descent reach of that. Where H is known to few digits they go no further
/// along directions in which it is nearly singular than is good.
Vector descend_model(const Vector& slope, const Matrix& H, const Vector& start, const Vector& upper);

}  // namespace spicymkl
