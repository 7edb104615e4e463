#include "spicymkl/loss/quantile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

QuantileLoss::QuantileLoss(double quantile) : quantile_(quantile) {
  if (!(quantile > 0 && quantile < 1))
    throw InputError(fmt::format("quantile is {}, but it must lie between 0 and 1, both excluded", quantile));
}

double QuantileLoss::value(double y, double z) const {
  const double residual = y - z;
  return std::max(quantile_ * residual, (quantile_ - 1) * residual);
}

double QuantileLoss::dual_point(double y, double z) const { return y > z ? quantile_ : quantile_ - 1; }

double QuantileLoss::conjugate(double y, double rho) const {
  return rho >= quantile_ - 1 && rho <= quantile_ ? -y * rho : std::numeric_limits<double>::infinity();
}

Interval QuantileLoss::dual_domain(double) const { return {quantile_ - 1, quantile_}; }

DualTerm QuantileLoss::smooth_conjugate(double y, double rho, double) const {
  DualTerm term;
  term.value = -y * rho;
  term.d_rho = -y;
  return term;
}

DualTerm QuantileLoss::constraint(int j, double, double rho, double) const {
  const double side = j == 0 ? 1 : -1;  // ρ − τ ≤ 0 and −ρ − (1 − τ) ≤ 0
  DualTerm term;
  term.value = side * rho - (j == 0 ? quantile_ : 1 - quantile_);
  term.d_rho = side;
  return term;
}

}  // namespace spicymkl
