#include "smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "scales.hpp"

namespace spicymkl {

namespace {

// What a width w adds to the objective grows about with w²: samples within w of the kink add about w each, those at a
// distance t from it w²/t.
constexpr double kFirstWidth = 0.15;  // times √tol, in units of a prediction
constexpr double kInnerShare = 0.6;   // of the tolerance, for the smooth problem,
constexpr double kWidthShare = 0.3;   // and for what the width adds
constexpr double kMostShrinking = 0.1, kLeastShrinking = 0.6;

double next_width(double width, double gap, double smooth_gap, double tol) {
  const double added = std::max(gap - smooth_gap, 0.0);
  const double factor = added > 0 ? std::sqrt(kWidthShare * tol / added) : kLeastShrinking;
  return width * std::clamp(factor, kMostShrinking, kLeastShrinking);
}

}  // namespace

Result solve_smoothed(const Problem& problem, const Settings& settings, const WarmStart& start,
                      const SmoothSolver& solve) {
  Run run(problem, settings);
  Settings inner = settings;
  inner.tol = kInnerShare * settings.tol;
  inner.callback = nullptr;
  double width = kFirstWidth * std::sqrt(settings.tol) * estimate_scales(problem).prediction;
  std::optional<Result> part;
  const auto judge = [&] {
    run.bound_by(part->certificate.dual);
    run.offer(part->expansion);
  };
  WarmStart state = start;
  Stages inside;
  run.remember_constant();
  run.remember(start);
  run.repeat([&] {
    part = solve(problem.with_loss(problem.loss().smoothed(width)), inner, state);
    state = part->warm_start;
    run.timers += part->timers;
    add(part->stages, inside);
    judge();
    run.record(
        {0, part->newton_steps, primal_value(problem, part->expansion).value, std::ssize(part->expansion.kernels)},
        [&] { return state; });
    if (run.running() && part->status != Status::converged) run.give_up(part->message);
    width = next_width(width, run.gap(), part->certificate.relative_gap, settings.tol);
  });
  run.conclude([&] {
    if (part) judge();
  });
  Result result = run.finish(std::move(state));
  result.stages = {{kSmoothing, result.timers.total - seconds(inside), result.iterations}};
  add(inside, result.stages);
  return result;
}

}  // namespace spicymkl
