#include "spicymkl/solver/solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "spicymkl/core/error.hpp"
#include "spicymkl/core/stopwatch.hpp"
#include "spicymkl/problem/quick_bound.hpp"
#include "spicymkl/solver/coarse_start.hpp"
#include "spicymkl/solver/continuation.hpp"
#include "spicymkl/solver/onestep.hpp"
#include "spicymkl/solver/recover.hpp"
#include "spicymkl/solver/run.hpp"
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
  WarmStart start;
  {
    WatchedTask task(settings.watch, "starting from a part of the rows");
    start = coarse_start(problem, settings);
  }
  const double seconds = clock.seconds();
  Settings once = settings;
  once.coarse_start = false;
  Result result = solve(problem, once, start);
  for (Record& record : result.history) record.seconds += seconds;
  result.timers.total += seconds;
  return result;
}

Result solve_as_planned(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  const bool automatic = settings.solver == SolverKind::automatic;
  if (automatic && settings.coarse_start && warm_start.empty()) return solve_from_coarse(problem, settings);
  if (automatic && settings.working_set && worth_a_working_set(problem))
    return solve_working_set(problem, settings, warm_start);
  if (automatic && settings.newton_on_weights && worth_newton_on_weights(problem))
    return solve_weights(problem, settings, warm_start);
  const bool smooth = problem.regularizer().has_smooth_dual();
  const bool onestep = settings.solver == SolverKind::onestep || (automatic && smooth);
  if (!onestep) return solve_spicy(problem, settings, warm_start);
  Result result = solve_onestep(problem, settings, warm_start);
  if (!automatic || result.status != Status::stalled) return result;
  // Where G* is finite but so steep that it is smooth in name only, small proximal steps still get on.
  Result proximal = solve_spicy(problem, settings, warm_start);
  return continued(std::move(result), std::move(proximal));
}

/// What there is to hand back of a run that was stopped before its first step.
Result stopped_before(const Problem& problem, const Settings& settings, const WarmStart& warm_start) {
  Run run(problem, settings);
  run.interrupt();
  const Problem::Constant constant = problem.best_constant();
  run.bound_from(constant.dual, quick_squared_norms(problem, constant.dual));
  const Expansion model{Vector::Zero(problem.n_samples()), {}, Vector(0), constant.intercept};
  run.remember(model, primal_value(problem, model));
  run.remember(warm_start);
  run.conclude([&] {
    run.bound_by(warm_start.empty() ? constant.dual : warm_start.dual);
    if (!warm_start.empty()) run.offer(first_model(problem, warm_start));
  });
  return run.finish(warm_start);
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
  check(settings);
  if (settings.max_seconds > 0) return solve(problem, with_time_limit(settings), warm_start);
  if (settings.solver > SolverKind::onestep)
    throw InputError(fmt::format("solver {} is a baseline: call solve_baseline", to_string(settings.solver)));
  if (settings.solver == SolverKind::onestep) check_smooth_dual(problem.regularizer());
  if (settings.watch.stop_requested()) return stopped_before(problem, settings, warm_start);
  try {
    return solve_as_planned(problem, settings, warm_start);
  } catch (const Stopped&) {
    return stopped_before(problem, settings, warm_start);
  }
}

namespace {

/// Proves the answer for the approximated kernels on the exact ones, by a pass over these where that is needed.
void certify_on_exact(const Problem& truth, const KernelBank& approximate, double tol, Result& result) {
  // What is known of the approximation often proves enough; else every kernel is computed once more.
  const Vector dual = result.certificate.dual;
  result.certificate = certify(truth, result.expansion, dual_bound(truth, approximate, dual));
  if (result.certificate.relative_gap > tol)
    result.certificate = certify(truth, result.expansion, dual_bound(truth, dual));
}

void keep_constant(const Problem& truth, Result& result) {
  result.expansion = constant_expansion(truth);
  result.certificate = certify(truth, result.expansion, quick_dual_bound(truth, truth.best_constant().dual));
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

Result solve_on_exact(const Problem& problem, std::shared_ptr<const KernelBank> exact, const Settings& settings,
                      const WarmStart& warm_start) {
  if (settings.max_seconds > 0) return solve_on_exact(problem, std::move(exact), with_time_limit(settings), warm_start);
  const Stopwatch clock;
  Result result = solve(problem, settings, warm_start);
  const Problem truth = problem.with(std::move(exact), problem.shared_regularizer());
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
  if (result.status == Status::converged && result.certificate.relative_gap > settings.tol) {
    Result again = solve(truth, settings, result.warm_start);
    keep_better_model(result, again);  // it may have been stopped early
    result = std::move(again);
  }
  result.timers.total = clock.seconds();
  return result;
}

}  // namespace spicymkl
