#include "own_proof.hpp"

#include <fmt/format.h>

#include "core/stopwatch.hpp"
#include "solver/outer/continuation.hpp"
#include "solver/outer/recover.hpp"

namespace spicymkl {

namespace {

constexpr double kFirst = 0.5;    // of the tolerance, to begin with
constexpr double kTighter = 0.1;  // of that, each time it was not enough
constexpr int kMostRounds = 8;
constexpr double kPolished = 1e-3;  // of the tolerance, for a model whose weights stay

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

/// The gradient of the loss at a model's predictions is only as near to that at the solution as the square root of its
/// gap. With its weights kept and all else solved to more digits, which takes few steps over one kernel, what is left
/// is the error of the weights.
void polish(const Problem& problem, double tol, Result& result) {
  const ScopedTimer timer(result.timers.total);
  const Expansion& model = result.expansion;
  Vector squares(std::ssize(model.kernels));
  problem.bank().quadratic_forms(model.kernels, model.dual, squares);
  const Vector norms = model.scale.cwiseProduct(squares.cwiseMax(0.0).cwiseSqrt());
  result.expansion = fix_weights(problem, {model.dual, model.kernels, norms, model.unpenalised, {}}, kPolished * tol);
}

/// With a better model of the same weights where that one's own proof is better too.
void prove_polished(const Problem& problem, const Problem& truth, const Settings& settings, Result& result) {
  if (result.expansion.kernels.empty() || settings.watch.stop_requested()) return;
  Result better = result;
  try {
    polish(problem, settings.tol, better);
  } catch (const Stopped&) {
    return;
  }
  prove(truth, settings.watch, better);
  if (better.certificate.relative_gap < result.certificate.relative_gap) result = std::move(better);
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
  const auto prove_all = [&] {
    prove(truth, settings.watch, result);
    if (result.certificate.relative_gap > settings.tol && result.status == Status::converged)
      prove_polished(problem, truth, settings, result);
  };
  prove_all();
  for (int round = 1; round < kMostRounds; ++round) {
    if (result.certificate.relative_gap <= settings.tol || result.status != Status::converged) break;
    tighter.tol *= kTighter;
    const WarmStart from = result.warm_start;
    result = continued(std::move(result), solve_on_exact(problem, exact, tighter, from), tighter.tol);
    prove_all();
  }
  if (result.certificate.relative_gap <= settings.tol) {
    call_converged(result, settings.tol);
  } else if (result.status == Status::converged) {
    result.status = Status::stalled;
    result.message =
        fmt::format("the gap at the model's own predictions stays above {:g}; try a larger tol", settings.tol);
  }
  return result;
}

}  // namespace spicymkl
