#include "screening.hpp"

#include <algorithm>
#include <cmath>

namespace spicymkl {

Screening::Screening(const Problem& problem, bool on)
    : problem_(problem),
      // A sample weight s turns ℓ*(ρ) into s·ℓ*(ρ/s), whose curvature is μ/s.
      convexity_(problem.conjugate_convexity()),
      zero_(problem.n_kernels(), false),
      reference_(zero_.size()),
      squares_(problem.n_kernels()) {
  on_ = on && convexity_ > 0;
}

double Screening::radius_bound(Index kernel, double distance) const {
  return std::sqrt(problem_.bank().trace(kernel)) * distance;
}

void Screening::read(const std::vector<Index>& kernels, const Vector& rho) {
  if (kernels.empty()) return;
  Vector squares(std::ssize(kernels));
  problem_.bank().quadratic_forms(kernels, rho, squares);
  squares_(kernels) = squares;
  if (!on_) return;
  references_.push_back(rho);
  for (const Index m : kernels) reference_[m] = references_.size() - 1;
}

DualBound Screening::bound_by(ConstVectorRef rho) {
  Vector feasible = problem_.feasible(rho);
  std::vector<double> moved;
  for (const Vector& reference : references_) moved.push_back((feasible - reference).norm());
  const double threshold = problem_.regularizer().threshold();
  Vector squares(squares_.size());
  std::vector<Index> to_read;
  for (Index m = 0; m < squares_.size(); ++m) {
    if (zero(m)) {
      const std::size_t from = reference_[m];
      const double rounding = rounding_of_forms(references_[from]) * problem_.bank().trace(m);
      const double upper = std::sqrt(squares_(m) + rounding) + radius_bound(m, moved[from]);
      squares(m) = upper * upper;
    }
    if (!zero(m) || squares(m) > threshold * threshold) to_read.push_back(m);
  }
  read(to_read, feasible);
  squares(to_read) = squares_(to_read);
  return dual_bound_from(problem_, std::move(feasible), std::move(squares));
}

void Screening::update(const DualBound& bound, double primal) {
  if (!on_) return;
  constexpr double kRounding = 1e-12;  // of the two values, relative
  const double gap = std::max(primal - bound.value(), 0.0) + kRounding * std::abs(primal);
  const double radius = std::sqrt(2 * gap / convexity_);
  for (Index m = 0; m < squares_.size(); ++m) {
    if (zero(m) || bound.scale() * bound.norms()(m) + radius_bound(m, radius) >= problem_.regularizer().threshold())
      continue;
    zero_[m] = true;
    ++n_zero_;
  }
}

}  // namespace spicymkl
