#include "spicymkl/pipeline/train.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "alpha_in_time.hpp"
#include "bank/outputs_bank.hpp"
#include "own_proof.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/problem/alpha_unit.hpp"
#include "spicymkl/solver/solve.hpp"
#include "support.hpp"

namespace spicymkl {

namespace {

/// Solves a problem and drops the samples that its model does not need.
Result solve_and_trim(const Problem& problem, const std::shared_ptr<const KernelBank>& exact, const Settings& settings,
                      const WarmStart& start) {
  const std::shared_ptr<const KernelBank> truth = with_outputs(exact, problem.n_outputs());
  if (is_proved_at_predictions(problem)) return solve_to_own_proof(problem, truth, settings, start);
  Result result = solve_on_exact(problem, truth, settings, start);
  const Problem certified = truth ? problem.with(truth, problem.shared_regularizer()) : problem;
  try {
    drop_idle_samples(certified, settings.tol, result);
  } catch (const Stopped&) {  // a model of more rows than it needs is as good
  }
  return result;
}

}  // namespace

void watch_with(const Watch& watch, TrainingPlan& plan) {
  plan.settings.watch = watch;
  plan.settings.max_seconds = 0;  // the watch counts from its own start
}

double resolve_alpha(const std::string& text, double alpha_max) {
  const bool relative = text.ends_with("max");
  const std::string digits = relative ? text.substr(0, text.size() - 3) : text;
  double value = relative && digits.empty() ? 1 : 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool complete = digits.empty() ? relative : error == std::errc() && end == digits.data() + digits.size();
  if (!complete || !(value > 0) || !std::isfinite(value))
    throw InputError(
        fmt::format("alpha is '{}', but it must be a number above 0, or a multiple of alpha_max such as 0.1max", text));
  return relative ? value * alpha_unit(alpha_max) : value;
}

void check(const TrainingPlan& plan) {
  const ProblemDescription problem = plan.problem.with_alpha(resolve_alpha(plan.alpha, 1));
  const auto regularizer = problem.make_regularizer();
  check(plan.settings);
  if (problem.loss == "auto") return;
  problem.make_loss();
  check_solver(plan.settings, problem.loss, *regularizer, problem.fit_intercept);
}

ProblemDescription description_for(const Target& target, ProblemDescription problem) {
  problem.loss = target.loss;
  if (target.survival()) problem.fit_intercept = false;
  return problem;
}

CovariateBasis covariate_basis(const Target& target, const ProblemDescription& description) {
  return {target.covariates.values, description.fit_intercept};
}

Problem make_problem(std::shared_ptr<const KernelBank> bank, const Target& target, Index number,
                     const ProblemDescription& description, const Vector& sample_weights) {
  std::shared_ptr<const Loss> loss = description.make_loss();
  if (loss->labels() == LabelKind::survival && !target.survival())
    throw InputError(fmt::format("loss {} learns from times and events, and the target has no events", loss->name()));
  if (target.joint() && !target.has_several() && loss->labels() != LabelKind::several_classes)
    throw InputError(
        fmt::format("loss {} tells two classes apart, and the target has {}, learned at once; make the target with "
                    "MultiClass::ovr (multi_class ovr), each class against the rest",
                    loss->name(), target.classes.size()));
  return {with_outputs(std::move(bank), target.n_outputs()),
          target.labels(number),
          std::move(loss),
          description.make_regularizer(),
          {description.fit_intercept, covariate_basis(target, description).columns()},
          sample_weights};
}

TrainedFit train_fit(std::shared_ptr<const KernelBank> bank, std::shared_ptr<const KernelBank> exact,
                     const Target& target, Index number, const TrainingPlan& plan, const WarmStart& start) {
  ProblemDescription description = description_for(target, plan.problem);
  description.alpha = 1;  // any: alpha_max does not depend on it
  const bool relative = plan.alpha.ends_with("max");
  const Vector& weights = plan.alpha_weights.size() > 0 ? plan.alpha_weights : plan.sample_weights;
  const AlphaMax unit =
      relative ? alpha_max_in_time(make_problem(bank, target, number, description, weights)) : AlphaMax{1, ""};
  description.alpha = resolve_alpha(plan.alpha, unit.value);
  const Problem problem = make_problem(std::move(bank), target, number, description, plan.sample_weights);
  const std::string computed_on = (exact ? *exact : problem.bank()).shape().computed_on;
  Result result = solve_and_trim(problem, exact, plan.settings, start);
  if (!unit.estimated_from.empty()) result.message += fmt::format("; alpha is estimated from {}", unit.estimated_from);
  TrainedFit trained;
  trained.history = std::move(result.history);
  if (result.status != Status::converged || plan.keep_ends) {
    trained.end = std::move(result.warm_start);
    trained.end.newton.reset();  // as large as a kernel, and not worth it for a run in the far future
  }
  trained.fit =
      make_fit(target.positive_class(number), description, std::move(result), covariate_basis(target, description));
  trained.fit.target = target.target_name(number);
  trained.fit.computed_on = computed_on;
  return trained;
}

}  // namespace spicymkl
