// The scalar equation behind the prox and the conjugate of every power of the norm.
#pragma once

namespace spicymkl {

/// The root x ≥ 0 of linear·x + power·x^(q−1) = v, for v ≥ 0, linear ≥ 0, power ≥ 0, q > 1, not both coefficients zero.
double power_root(double linear, double power, double q, double v);

}  // namespace spicymkl
