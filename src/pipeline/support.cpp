#include "support.hpp"

#include <cmath>

#include "core/stopwatch.hpp"

namespace spicymkl {

namespace {

Index count_zeros(const Vector& v) { return (v.array() == 0).count(); }

}  // namespace

void drop_idle_samples(const Problem& problem, double tol, Result& result) {
  if (result.status != Status::converged || result.expansion.kernels.empty()) return;
  const ScopedTimer timer(result.timers.total);
  Certificate& certificate = result.certificate;
  const double limit = certificate.primal + 0.01 * tol * std::abs(certificate.primal);
  const double largest = result.expansion.dual.lpNorm<Eigen::Infinity>();
  for (const double share : {1e-3, 1e-4, 1e-5, 1e-6, 1e-8}) {
    Expansion fewer = result.expansion;
    fewer.dual = (fewer.dual.array().abs() <= share * largest).select(0, fewer.dual);
    if (count_zeros(fewer.dual) <= count_zeros(result.expansion.dual)) return;
    PrimalValue primal = primal_value(problem, fewer);
    const double gap = relative_gap(primal, certificate.dual_objective);
    if (!(primal.value <= limit && gap <= tol)) continue;
    // The dual point, and with it the bound, is the same; the primal side is computed anew.
    certificate.primal = primal.value;
    certificate.relative_gap = gap;
    certificate.norms = std::move(primal.norms);
    result.expansion = std::move(fewer);
    return;
  }
}

}  // namespace spicymkl
