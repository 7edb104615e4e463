#include "spicymkl/loss/hinge.hpp"

#include <algorithm>

namespace spicymkl {

double HingeLoss::value(double y, double z) const { return std::max(1 - y * z, 0.0); }

double HingeLoss::dual_point(double y, double z) const { return y * z < 1 ? y : 0.0; }

double HingeLoss::conjugate(double y, double rho) const {  // Eq. (17)
  const double p = y * rho;
  return p >= 0 && p <= 1 ? -p : std::numeric_limits<double>::infinity();
}

Interval HingeLoss::dual_domain(double y) const { return y > 0 ? Interval{0, 1} : Interval{-1, 0}; }

DualTerm HingeLoss::smooth_conjugate(double y, double rho, double) const {
  DualTerm term;
  term.value = -y * rho;
  term.d_rho = -y;
  return term;
}

DualTerm HingeLoss::constraint(int j, double y, double rho, double) const {
  const double side = j == 0 ? y : -y;  // h_0 = p − 1 with multiplier ξ, h_1 = −p with multiplier ζ
  DualTerm term;
  term.value = side * rho - (j == 0 ? 1 : 0);
  term.d_rho = side;
  return term;
}

}  // namespace spicymkl
