#include "spicymkl/loss/squared.hpp"

namespace spicymkl {

double SquaredLoss::value(double y, double z) const { return (y - z) * (y - z); }

double SquaredLoss::dual_point(double y, double z) const { return 2 * (y - z); }

double SquaredLoss::conjugate(double y, double rho) const { return -y * rho + rho * rho / 4; }

Interval SquaredLoss::dual_domain(double) const { return {}; }

DualTerm SquaredLoss::smooth_conjugate(double y, double rho, double) const {
  DualTerm term;
  term.value = conjugate(y, rho);
  term.d_rho = -y + rho / 2;
  term.d_rho_rho = 0.5;
  return term;
}

}  // namespace spicymkl
