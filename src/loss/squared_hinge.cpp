#include "spicymkl/loss/squared_hinge.hpp"

#include <algorithm>

namespace spicymkl {

double SquaredHingeLoss::value(double y, double z) const {
  const double slack = std::max(1 - y * z, 0.0);
  return slack * slack;
}

double SquaredHingeLoss::dual_point(double y, double z) const { return 2 * y * std::max(1 - y * z, 0.0); }

double SquaredHingeLoss::conjugate(double y, double rho) const {
  const double p = y * rho;
  return p >= 0 ? -p + p * p / 4 : std::numeric_limits<double>::infinity();
}

Interval SquaredHingeLoss::dual_domain(double y) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return y > 0 ? Interval{0, infinity} : Interval{-infinity, 0};
}

DualTerm SquaredHingeLoss::smooth_conjugate(double y, double rho, double) const {
  DualTerm term;
  term.value = -y * rho + rho * rho / 4;
  term.d_rho = -y + rho / 2;
  term.d_rho_rho = 0.5;
  return term;
}

DualTerm SquaredHingeLoss::constraint(int, double y, double rho, double) const {
  DualTerm term;
  term.value = -y * rho;
  term.d_rho = -y;
  return term;
}

}  // namespace spicymkl
