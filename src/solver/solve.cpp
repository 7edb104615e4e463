#include "spicymkl/solver/solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/stopwatch.hpp"
#include "driver.hpp"
#include "problem/quick_bound.hpp"
#include "solver/outer/recover.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/solver/registered_solver.hpp"

namespace spicymkl {

namespace {

void check(const Problem& problem, const WarmStart& start) {
  if (start.empty()) return;
  const bool kernels_exist = std::all_of(start.kernels.begin(), start.kernels.end(),
                                         [&](Index m) { return m >= 0 && m < problem.n_kernels(); });
  if (start.dual.size() != problem.n_samples() || !kernels_exist || start.coef.cols() != std::ssize(start.kernels) ||
      (start.coef.cols() > 0 && start.coef.rows() != problem.n_samples()))
    throw InputError("the warm start belongs to another problem: its samples or kernels do not match");
  if (start.unpenalised.rows() != problem.constraints().n_columns() || start.unpenalised.cols() != problem.n_outputs())
    throw InputError(fmt::format(
        "the warm start belongs to another problem: it has {} x {} coefficients without a penalty, where there are {} "
        "x {}",
        start.unpenalised.rows(), start.unpenalised.cols(), problem.constraints().n_columns(), problem.n_outputs()));
}

}  // namespace

void check_solver(const Settings& settings, std::string_view loss, const Regularizer& regularizer, bool fit_intercept) {
  if (settings.registered) return settings.registered->check(loss, regularizer, fit_intercept);
  if (settings.solver == SolverKind::onestep && !regularizer.has_smooth_dual())
    throw InputError(
        fmt::format("solver onestep needs a regulariser with a smooth dual, which {} has not; use solver spicy",
                    regularizer.name()));
}

Result solve(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  check(problem, warm_start);
  check(settings);
  check_solver(settings, problem.loss().name(), problem.regularizer(), problem.fit_intercept());
  if (settings.registered) return settings.registered->solve(problem, settings, warm_start);
  return solve_as(choose(problem, settings, !warm_start.empty()), problem, settings, warm_start);
}

namespace {

/// Proves the answer on other kernels: those that were approximated, by a pass over these where that is needed, or the
/// same, computed elsewhere.
void certify_on_exact(const Problem& truth, const KernelBank& approximate, double tol, Result& result) {
  // What is known of the approximation often proves enough; else every kernel is computed once more.
  const Vector dual = result.certificate.dual;
  if (!approximate.exact()) {
    result.bound = dual_bound(truth, approximate, dual);
    result.certificate = certify(truth, result.expansion, result.bound);
    if (result.certificate.relative_gap <= tol) return;
  }
  result.bound = dual_bound(truth, dual);
  result.certificate = certify(truth, result.expansion, result.bound);
}

void keep_constant(const Problem& truth, Result& result) {
  result.expansion = constant_expansion(truth);
  result.bound = quick_dual_bound(truth, truth.best_constant().dual);
  result.certificate = certify(truth, result.expansion, result.bound);
}

/// The same where there is no time for a pass: by what the approximation is known to leave out, else for the constant.
void certify_in_haste(const Problem& truth, const KernelBank& approximate, Result& result) {
  if (auto carried = carried_certificate(truth, approximate, result.expansion, result.certificate, result.bound)) {
    result.certificate = std::move(*carried);
    return;
  }
  keep_constant(truth, result);
}

}  // namespace

Result solve_on_exact(const Problem& problem, const std::shared_ptr<const KernelBank>& exact, const Settings& asked,
                      const WarmStart& warm_start) {
  if (!exact) return solve(problem, asked, warm_start);
  const Problem truth = problem.with(exact, problem.shared_regularizer());
  if (asked.registered) return solve(truth, asked, warm_start);
  check(asked);
  const Settings settings = with_time_limit(asked);
  const Stopwatch clock;
  Result result = solve(problem, settings, warm_start);
  const Stopwatch proof_clock;
  try {
    const WrapUp wrap_up(truth.bank().watch()), wrap_up_too(settings.watch);
    WatchedTask task(settings.watch, "proving the answer on the exact kernels");
    Result proved = result;
    certify_on_exact(truth, problem.bank(), settings.tol, proved);
    result = std::move(proved);
    if (!is_finite(result.expansion, result.certificate)) keep_constant(truth, result);
  } catch (const Stopped&) {
    certify_in_haste(truth, problem.bank(), result);
    if (result.status == Status::converged && result.certificate.relative_gap > settings.tol) {
      result.status = Status::interrupted;
      result.message = settings.watch.reason();
    }
  }
  add({kExactKernels, proof_clock.seconds()}, result.stages);
  if (result.status == Status::converged && result.certificate.relative_gap > settings.tol) {
    Result again = solve(truth, settings, result.warm_start);
    keep_better_model(result, again, settings.tol);  // it may have been stopped early
    add(again.stages, result.stages);
    again.stages = std::move(result.stages);
    result = std::move(again);
  }
  result.timers.total = clock.seconds();
  return result;
}

}  // namespace spicymkl
