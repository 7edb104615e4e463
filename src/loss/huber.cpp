#include "spicymkl/loss/huber.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

HuberLoss::HuberLoss(double epsilon) : epsilon_(epsilon) {
  if (!(epsilon > 0 && std::isfinite(epsilon)))
    throw InputError(fmt::format("epsilon is {}, but the huber loss needs a finite epsilon > 0", epsilon));
}

double HuberLoss::value(double y, double z) const {
  const double size = std::abs(y - z);
  return size <= epsilon_ ? size * size : epsilon_ * (2 * size - epsilon_);
}

double HuberLoss::dual_point(double y, double z) const { return 2 * std::clamp(y - z, -epsilon_, epsilon_); }

double HuberLoss::conjugate(double y, double rho) const {
  return std::abs(rho) <= 2 * epsilon_ ? -y * rho + rho * rho / 4 : std::numeric_limits<double>::infinity();
}

Interval HuberLoss::dual_domain(double) const { return {-2 * epsilon_, 2 * epsilon_}; }

DualTerm HuberLoss::smooth_conjugate(double y, double rho, double) const {
  DualTerm term;
  term.value = -y * rho + rho * rho / 4;
  term.d_rho = -y + rho / 2;
  term.d_rho_rho = 0.5;
  return term;
}

DualTerm HuberLoss::constraint(int j, double, double rho, double) const {
  const double side = j == 0 ? 1 : -1;  // ±ρ − 2ε ≤ 0
  DualTerm term;
  term.value = side * rho - 2 * epsilon_;
  term.d_rho = side;
  return term;
}

}  // namespace spicymkl
