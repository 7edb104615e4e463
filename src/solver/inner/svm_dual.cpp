#include "svm_dual.hpp"

#include "smo_solver.hpp"
#include "svm_newton.hpp"

namespace spicymkl {

SvmDual::SvmDual(const Problem& problem, ConstVectorRef rho)
    : problem_(problem),
      lower_(rho.size()),
      upper_(rho.size()),
      curvature_(rho.size()),
      rho_(rho),
      gradient_(rho.size()) {
  for (Index i = 0; i < rho.size(); ++i) {
    const double y = problem.labels()(i), s = problem.sample_weights()(i);
    const Interval domain = problem.loss().dual_domain(y);
    lower_(i) = s * domain.lower;
    upper_(i) = s * domain.upper;
    curvature_(i) = problem.loss().smooth_conjugate(y, rho(i) / s, 0).d_rho_rho / s;
  }
}

void SvmDual::set_gradient(ConstVectorRef image) {
  for (Index i = 0; i < rho_.size(); ++i)
    gradient_(i) =
        image(i) +
        problem_.loss().smooth_conjugate(problem_.labels()(i), rho_(i) / problem_.sample_weights()(i), 0).d_rho;
}

double SvmDual::duality_gap() const {
  Vector f = gradient_;
  for (Index i = 0; i < f.size(); ++i)
    f(i) -= problem_.loss().smooth_conjugate(problem_.labels()(i), rho_(i) / problem_.sample_weights()(i), 0).d_rho;
  const double half_square = 0.5 * rho_.dot(f);
  f += problem_.unpenalised_part(problem_.best_unpenalised(f));
  return problem_.loss_value(f) + half_square + value();
}

double SvmDual::value() const {
  // With the gradient Kρ + c(ρ), c the slope of the conjugates: ρᵀKρ = ρᵀ(gradient − c).
  double sum = 0;
  for (Index i = 0; i < rho_.size(); ++i) {
    const double s = problem_.sample_weights()(i);
    const DualTerm term = problem_.loss().smooth_conjugate(problem_.labels()(i), rho_(i) / s, 0);
    sum += s * term.value + 0.5 * rho_(i) * (gradient_(i) - term.d_rho);
  }
  return sum;
}

std::vector<Index> SvmDual::free_samples() const {
  std::vector<Index> samples;
  for (Index i = 0; i < rho_.size(); ++i)
    if (can_rise(i) && can_fall(i)) samples.push_back(i);
  return samples;
}

std::unique_ptr<SvmDual> make_svm_dual(const Problem& problem, const std::vector<Index>& kernels, const Vector& weights,
                                       ConstVectorRef rho) {
  const KernelBank& bank = problem.bank();
  if (bank.columns() == nullptr && bank.mixtures() != nullptr)
    return std::make_unique<SvmNewton>(problem, kernels, weights, rho);
  return std::make_unique<SmoSolver>(problem, kernels, weights, rho);
}

}  // namespace spicymkl
