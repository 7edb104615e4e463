#include "spicymkl/loss/logistic.hpp"

#include <cmath>

namespace spicymkl {

double LogisticLoss::value(double y, double z) const {
  const double margin = y * z;
  // log(1 + e^{−m}) without overflow on either side.
  return margin > 0 ? std::log1p(std::exp(-margin)) : -margin + std::log1p(std::exp(margin));
}

double LogisticLoss::dual_point(double y, double z) const { return y / (1 + std::exp(y * z)); }

double LogisticLoss::conjugate(double y, double rho) const {  // Eq. (16)
  const double p = y * rho;
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::infinity();
  const double head = p > 0 ? p * std::log(p) : 0;
  const double tail = p < 1 ? (1 - p) * std::log1p(-p) : 0;
  return head + tail;
}

Interval LogisticLoss::dual_domain(double y) const { return y > 0 ? Interval{0, 1} : Interval{-1, 0}; }

DualTerm LogisticLoss::smooth_conjugate(double y, double rho, double) const {
  const double p = y * rho;
  DualTerm term;
  term.value = conjugate(y, rho);
  term.d_rho = y * (std::log(p) - std::log1p(-p));
  term.d_rho_rho = 1 / (p * (1 - p));
  return term;
}

}  // namespace spicymkl
