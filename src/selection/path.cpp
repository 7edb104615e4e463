#include "spicymkl/selection/path.hpp"

#include <algorithm>

#include "bank/outputs_bank.hpp"
#include "candidate_path.hpp"
#include "path_trail.hpp"
#include "solver/driver.hpp"
#include "spicymkl/solver/solve.hpp"

namespace spicymkl {

namespace {

/// Point by point, each by the solver of the whole problem.
class PointByPoint final : public PathMethod {
 public:
  PointByPoint(const Problem& problem, const RegularizerFamily& family, const PathSettings& settings,
               std::shared_ptr<const KernelBank> exact)
      : problem_(problem), family_(family), settings_(settings), exact_(std::move(exact)) {}

  Index stride() const override { return 1; }

  bool solve(const std::vector<double>& alphas, std::vector<PathPoint>& points) override {
    for (const double alpha : alphas) {
      const Problem problem = problem_.with(family_(alpha));
      Result result = solve_point(problem, trail_.start_for(problem, alpha));
      if (result.status == Status::interrupted) return false;
      trail_.add(alpha, std::move(result.warm_start));
      result.warm_start = {};
      result.history = {};
      points.push_back({alpha, std::move(result)});
    }
    return true;
  }

  WarmStart take_warm_start() override { return trail_.take_last(); }

 private:
  Result solve_point(const Problem& problem, const WarmStart& start) const {
    const Settings& settings = settings_.solver;
    if (settings_.proves || settings.registered) return solve_on_exact(problem, exact_, settings, start);
    return solve_as(choose(problem, settings, !start.empty()), problem, settings, start, {.proves = false});
  }

  const Problem& problem_;
  const RegularizerFamily& family_;
  const PathSettings& settings_;
  std::shared_ptr<const KernelBank> exact_;
  PathTrail trail_;
};

}  // namespace

PathWalk::PathWalk(Problem problem, RegularizerFamily family, AlphaGrid grid, const PathSettings& settings,
                   std::shared_ptr<const KernelBank> exact)
    : problem_(std::move(problem)), family_(std::move(family)), grid_(std::move(grid)), settings_(settings) {
  settings_.solver.callback = nullptr;
  exact = with_outputs(std::move(exact), problem_.n_outputs());
  try {
    alpha_max_ = spicymkl::alpha_max(problem_);
    if (worth_candidates(problem_, settings_.solver))
      method_ = make_candidate_path(problem_, family_, settings_.solver, std::move(exact));
    else method_ = std::make_unique<PointByPoint>(problem_, family_, settings_, std::move(exact));
  } catch (const Stopped&) {
    stopped_ = true;
  }
}

PathWalk::~PathWalk() = default;

Index PathWalk::stride() const { return method_ ? method_->stride() : 1; }

WarmStart PathWalk::take_warm_start() { return method_ ? method_->take_warm_start() : WarmStart{}; }

std::vector<PathPoint> PathWalk::next(Index count) {
  std::vector<PathPoint> points;
  if (stopped_) return points;
  const std::vector<double> all = grid_.alphas(alpha_max_);
  const Index end = std::min(n_done_ + count, std::ssize(all));
  try {
    stopped_ = !method_->solve({all.begin() + n_done_, all.begin() + end}, points);
  } catch (const Stopped&) {
    stopped_ = true;
  }
  n_done_ += std::ssize(points);
  return points;
}

Path solve_path(const Problem& problem, const RegularizerFamily& family, const AlphaGrid& grid,
                const PathSettings& settings, std::shared_ptr<const KernelBank> exact) {
  PathWalk walk(problem, family, grid, settings, std::move(exact));
  Path path;
  path.alpha_max = walk.alpha_max();
  WatchedTask task(settings.solver.watch, "point", std::ssize(grid.values));
  bool wanted = true;
  while (wanted && !walk.finished() && !walk.stopped()) {
    for (PathPoint& point : walk.next(walk.stride())) {
      path.points.push_back(std::move(point));
      wanted = !settings.callback || settings.callback(path.points.back());
      if (!wanted) break;
    }
    task.set(std::ssize(path.points));
  }
  path.complete = path.points.size() == grid.values.size();
  path.warm_start = walk.take_warm_start();
  return path;
}

namespace {

ProblemDescription description_of(const TrainingPlan& plan, const Target& target) {
  return description_for(target, plan.problem.with_alpha(1));  // any: alpha_max does not depend on it
}

RegularizerFamily family_of(const ProblemDescription& description) {
  return [description](double alpha) { return description.with_alpha(alpha).make_regularizer(); };
}

}  // namespace

TargetWalk::TargetWalk(const std::shared_ptr<const KernelBank>& bank, const std::shared_ptr<const KernelBank>& exact,
                       const Target& target, const TrainingPlan& plan, const AlphaGrid& grid)
    : description_(description_of(plan, target)), covariates_(covariate_basis(target, description_)) {
  for (Index number = 0; number < target.n_fits(); ++number) {
    positive_classes_.push_back(target.positive_class(number));
    target_names_.push_back(target.target_name(number));
    walks_.push_back(std::make_unique<PathWalk>(make_problem(bank, target, number, description_, plan.sample_weights),
                                                family_of(description_), grid, PathSettings{plan.settings, {}, false},
                                                exact));
  }
}

std::vector<std::vector<Fit>> TargetWalk::next(Index count) {
  std::vector<std::vector<Fit>> points;
  for (std::size_t f = 0; f < walks_.size(); ++f) {
    std::vector<PathPoint> solved = walks_[f]->next(count);
    stopped_ = stopped_ || walks_[f]->stopped();
    if (f == 0) points.resize(solved.size());
    points.resize(std::min(points.size(), solved.size()));  // those that every problem has
    for (std::size_t p = 0; p < points.size(); ++p) {
      points[p].push_back(make_fit(positive_classes_[f], description_.with_alpha(solved[p].alpha),
                                   std::move(solved[p].result), covariates_));
      points[p].back().target = target_names_[f];
    }
  }
  return points;
}

FitPath train_path(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const KernelBank> exact,
                   const Target& target, Index number, const TrainingPlan& plan, const AlphaGrid& grid,
                   const FitCallback& callback) {
  const ProblemDescription description = description_of(plan, target);
  const Problem problem = make_problem(std::move(bank), target, number, description, plan.sample_weights);
  const std::string computed_on = (exact ? *exact : problem.bank()).shape().computed_on;
  const CovariateBasis covariates = covariate_basis(target, description);
  FitPath fits;
  PathSettings settings{plan.settings, {}};
  settings.callback = [&](const PathPoint& point) {
    fits.fits.push_back(
        make_fit(target.positive_class(number), description.with_alpha(point.alpha), point.result, covariates));
    fits.fits.back().target = target.target_name(number);
    fits.fits.back().computed_on = computed_on;
    return !callback || callback(fits.fits.back());
  };
  const Path path = solve_path(problem, family_of(description), grid, settings, std::move(exact));
  fits.alpha_max = path.alpha_max;
  fits.complete = path.complete;
  return fits;
}

}  // namespace spicymkl
