#include "own_proof.hpp"

#include <fmt/format.h>

#include "core/stopwatch.hpp"
#include "solver/outer/continuation.hpp"

namespace spicymkl {

namespace {

constexpr double kFirst = 0.5;    // of the tolerance, to begin with
constexpr double kTighter = 0.1;  // of that, each time it was not enough
constexpr int kMostRounds = 8;

void prove(const Problem& problem, const Watch& watch, Result& result) {
  const ScopedTimer timer(result.timers.total);
  PrimalValue primal = result.certificate.primal_value();
  try {
    const WrapUp wrap_up(problem.bank().watch()), wrap_up_too(watch);
    primal = primal_value(problem, result.expansion);
    result.certificate = certify_at_predictions(problem, primal, Pass::all_kernels);
  } catch (const Stopped&) {
    result.certificate = certify_at_predictions(problem, std::move(primal), Pass::none);
  }
}

}  // namespace

bool is_proved_at_predictions(const Problem& problem) {
  return problem.joint_loss() != nullptr &&
         problem.joint_loss()->conjugate_bound(Vector::Zero(problem.n_samples()), 0).has_value();
}

Result solve_to_own_proof(const Problem& problem, const std::shared_ptr<const KernelBank>& exact, const Settings& asked,
                          const WarmStart& start) {
  check(asked);
  const Problem truth = exact ? problem.with(exact, problem.shared_regularizer()) : problem;
  const Settings settings = with_time_limit(asked);
  Settings tighter = settings;
  tighter.tol *= kFirst;
  Result result = solve_on_exact(problem, exact, tighter, start);
  prove(truth, settings.watch, result);
  for (int round = 1; round < kMostRounds; ++round) {
    if (result.certificate.relative_gap <= settings.tol || result.status != Status::converged) break;
    tighter.tol *= kTighter;
    const WarmStart from = result.warm_start;
    result = continued(std::move(result), solve_on_exact(problem, exact, tighter, from));
    prove(truth, settings.watch, result);
  }
  if (result.certificate.relative_gap <= settings.tol) {
    result.status = Status::converged;
    result.message = fmt::format("the relative duality gap is within {:g}", settings.tol);
  } else if (result.status == Status::converged) {
    result.status = Status::stalled;
    result.message =
        fmt::format("the gap at the model's own predictions stays above {:g}; try a larger tol", settings.tol);
  }
  return result;
}

}  // namespace spicymkl
