#include "spicymkl/pipeline/train.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "spicymkl/baseline/solve.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/pipeline/alpha_in_time.hpp"
#include "spicymkl/pipeline/support.hpp"

namespace spicymkl {

double resolve_alpha(const std::string& text, double alpha_max) {
  const bool relative = text.ends_with("max");
  const std::string digits = relative ? text.substr(0, text.size() - 3) : text;
  double value = relative && digits.empty() ? 1 : 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool complete = digits.empty() ? relative : error == std::errc() && end == digits.data() + digits.size();
  if (!complete || !(value > 0) || !std::isfinite(value))
    throw InputError(
        fmt::format("alpha is '{}', but it must be a number above 0, or a multiple of alpha_max such as 0.1max", text));
  return relative ? value * alpha_max : value;
}

void check(const TrainingPlan& plan) {
  ProblemDescription problem = plan.problem;
  if (problem.loss != "auto") problem.make_loss();
  problem.alpha = resolve_alpha(plan.alpha, 1);
  problem.make_regularizer();
  check(plan.settings);
}

Problem make_problem(std::shared_ptr<const KernelBank> bank, const Target& target, Index number,
                     const ProblemDescription& description, const Vector& sample_weights) {
  return {std::move(bank),           target.labels(number), description.make_loss(), description.make_regularizer(),
          description.fit_intercept, sample_weights};
}

Result train_problem(const Problem& problem, const std::shared_ptr<const KernelBank>& exact, const Settings& settings,
                     const WarmStart& warm_start) {
  Result result = solve_by_name(problem, exact, settings, warm_start);
  const Problem certified = exact ? problem.with(exact, problem.shared_regularizer()) : problem;
  try {
    drop_idle_samples(certified, settings.tol, result);
  } catch (const Stopped&) {  // a model of more rows than it needs is as good
  }
  return result;
}

TrainedFit train_fit(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const KernelBank> exact,
                     const Target& target, Index number, const TrainingPlan& plan, const WarmStart& start) {
  ProblemDescription description = plan.problem;
  description.loss = target.loss;
  description.alpha = 1;  // any: alpha_max does not depend on it
  const bool relative = plan.alpha.ends_with("max");
  const AlphaMax unit = relative
                            ? alpha_max_in_time(make_problem(bank, target, number, description, plan.sample_weights))
                            : AlphaMax{1, ""};
  description.alpha = resolve_alpha(plan.alpha, unit.value);
  const Problem problem = make_problem(std::move(bank), target, number, description, plan.sample_weights);
  Result result = train_problem(problem, exact, plan.settings, start);
  if (!unit.estimated_from.empty()) result.message += fmt::format("; alpha is estimated from {}", unit.estimated_from);
  TrainedFit trained;
  trained.history = std::move(result.history);
  if (result.status != Status::converged) trained.end = std::move(result.warm_start);
  trained.fit = make_fit(target.positive_class(number), description, std::move(result));
  return trained;
}

}  // namespace spicymkl
