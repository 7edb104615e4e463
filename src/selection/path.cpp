#include "spicymkl/selection/path.hpp"

#include "candidate_path.hpp"
#include "spicymkl/solver/solve.hpp"

namespace spicymkl {

namespace {

/// Point by point, each by the solver of the whole problem.
void solve_one_by_one(const Problem& problem, const RegularizerFamily& family, const AlphaGrid& grid,
                      const PathSettings& settings, const std::shared_ptr<const KernelBank>& exact, Path& path) {
  path.alpha_max = alpha_max(problem);
  WatchedTask task(settings.solver.watch, "point", std::ssize(grid.values));
  for (const double alpha : grid.alphas(path.alpha_max)) {
    Result result = solve_on_exact(problem.with(family(alpha)), exact, settings.solver, path.warm_start);
    if (result.status == Status::interrupted) throw Stopped();
    path.warm_start = std::move(result.warm_start);
    result.warm_start = {};
    result.history = {};
    path.points.push_back({alpha, std::move(result)});
    task.advance();
    if (settings.callback && !settings.callback(path.points.back())) {
      path.complete = path.points.size() == grid.values.size();
      return;
    }
  }
}

}  // namespace

Path solve_path(const Problem& problem, const RegularizerFamily& family, const AlphaGrid& grid,
                const PathSettings& settings, std::shared_ptr<const KernelBank> exact) {
  PathSettings quiet = settings;
  quiet.solver.callback = nullptr;
  const auto solve = worth_candidates(problem, settings.solver) ? solve_candidate_path : solve_one_by_one;
  Path path;
  try {
    solve(problem, family, grid, quiet, exact, path);
  } catch (const Stopped&) {
    path.complete = false;
  }
  return path;
}

FitPath train_path(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const KernelBank> exact,
                   const Target& target, Index number, const TrainingPlan& plan, const AlphaGrid& grid,
                   const FitCallback& callback) {
  ProblemDescription description = plan.problem.with_alpha(1);  // any: alpha_max does not depend on it
  description.loss = target.loss;
  const auto family = [&](double alpha) { return description.with_alpha(alpha).make_regularizer(); };
  const Problem problem = make_problem(std::move(bank), target, number, description, plan.sample_weights);
  FitPath fits;
  PathSettings settings{plan.settings, {}};
  settings.callback = [&](const PathPoint& point) {
    fits.fits.push_back(make_fit(target.positive_class(number), description.with_alpha(point.alpha), point.result));
    return !callback || callback(fits.fits.back());
  };
  const Path path = solve_path(problem, family, grid, settings, std::move(exact));
  fits.alpha_max = path.alpha_max;
  fits.complete = path.complete;
  return fits;
}

}  // namespace spicymkl
