// Proofs at the gradient of a loss whose conjugate not everybody knows.
#include "quick_bound.hpp"
#include "rounding.hpp"

namespace spicymkl {

Certificate certify_at_predictions(const Problem& problem, PrimalValue primal, Pass pass) {
  const JointLoss& joint = *problem.joint_loss();
  const Vector z = primal.predictions;
  Vector rho = z.size() > 0 ? joint.dual_point(z) : Vector::Zero(problem.n_samples());
  // b was fitted, but not to the last digit; what that leaves is made good by other means or, at worst, proves nothing.
  if (!rho.allFinite() || problem.constraints().violation(rho) > kUnsatisfied) rho.setZero();
  Vector squares(problem.n_kernels());
  if (pass == Pass::none) squares = quick_squared_norms(problem, rho);
  else problem.bank().quadratic_forms(all_kernels(problem.n_kernels()), rho, squares);
  const DualBound bound = dual_bound_from(problem, std::move(rho), std::move(squares));
  Certificate certificate = certify(std::move(primal), bound);
  const double given_away = *joint.conjugate_bound(z, bound.scale()) - joint.conjugate(bound.dual());
  certificate.dual_objective -= std::max(given_away, 0.0);
  certificate.relative_gap = relative_gap(certificate.primal_value(), certificate.dual_objective);
  return certificate;
}

}  // namespace spicymkl
