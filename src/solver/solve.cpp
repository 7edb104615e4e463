#include "spicymkl/solver/solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spicymkl/core/error.hpp"
#include "spicymkl/core/stopwatch.hpp"
#include "spicymkl/solver/coarse_start.hpp"
#include "spicymkl/solver/onestep.hpp"
#include "spicymkl/solver/recover.hpp"
#include "spicymkl/solver/spicy.hpp"
#include "spicymkl/solver/weights.hpp"
#include "spicymkl/solver/working_set.hpp"

namespace spicymkl {

namespace {

void check(const Problem& problem, const WarmStart& start) {
  if (start.empty()) return;
  const bool kernels_exist = std::all_of(start.kernels.begin(), start.kernels.end(),
                                         [&](Index m) { return m >= 0 && m < problem.n_kernels(); });
  if (start.dual.size() != problem.n_samples() || !kernels_exist ||
      start.coef.cols() != static_cast<Index>(start.kernels.size()) ||
      (start.coef.cols() > 0 && start.coef.rows() != problem.n_samples()))
    throw InputError("the warm start belongs to another problem: its samples or kernels do not match");
}

/// The same solver, started from the answer for a part of the samples.
Result solve_from_coarse(const Problem& problem, const Settings& settings) {
  const Stopwatch clock;
  const WarmStart start = coarse_start(problem, settings);
  const double seconds = clock.seconds();
  Settings once = settings;
  once.coarse_start = false;
  Result result = solve(problem, once, start);
  for (Record& record : result.history) record.seconds += seconds;
  result.timers.total += seconds;
  return result;
}

}  // namespace

void check_smooth_dual(const Regularizer& regularizer) {
  if (!regularizer.has_smooth_dual())
    throw InputError(
        fmt::format("solver onestep needs a regulariser with a smooth dual, which {} has not; use solver spicy",
                    regularizer.name()));
}

Result solve(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  check(problem, warm_start);
  if (settings.max_seconds > 0) return solve(problem, with_time_limit(settings), warm_start);
  if (settings.solver > SolverKind::onestep)
    throw InputError(fmt::format("solver {} is a baseline: call solve_baseline", to_string(settings.solver)));
  const bool smooth = problem.regularizer().has_smooth_dual();
  if (settings.solver == SolverKind::onestep) check_smooth_dual(problem.regularizer());
  const bool automatic = settings.solver == SolverKind::automatic;
  if (automatic && settings.coarse_start && warm_start.empty()) return solve_from_coarse(problem, settings);
  if (automatic && settings.working_set && worth_a_working_set(problem))
    return solve_working_set(problem, settings, warm_start);
  if (automatic && settings.newton_on_weights && worth_newton_on_weights(problem))
    return solve_weights(problem, settings, warm_start);
  const bool onestep = settings.solver == SolverKind::onestep || (automatic && smooth);
  return onestep ? solve_onestep(problem, settings, warm_start) : solve_spicy(problem, settings, warm_start);
}

Result solve_on_exact(const Problem& problem, std::shared_ptr<const KernelBank> exact, const Settings& settings,
                      const WarmStart& warm_start) {
  if (settings.max_seconds > 0) return solve_on_exact(problem, std::move(exact), with_time_limit(settings), warm_start);
  const Stopwatch clock;
  Result result = solve(problem, settings, warm_start);
  const Problem truth = problem.with(std::move(exact), problem.shared_regularizer());
  // What is known of the approximation often proves enough; else every kernel is computed once more.
  const Vector dual = result.certificate.dual;
  result.certificate = certify(truth, result.expansion, dual_bound(truth, problem.bank(), dual));
  if (result.certificate.relative_gap > settings.tol)
    result.certificate = certify(truth, result.expansion, dual_bound(truth, dual));
  if (result.status == Status::converged && result.certificate.relative_gap > settings.tol) {
    Result again = solve(truth, settings, result.warm_start);
    keep_better_model(result, again);  // it may have been stopped early
    result = std::move(again);
  }
  result.timers.total = clock.seconds();
  return result;
}

}  // namespace spicymkl
