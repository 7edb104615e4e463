#include "spicymkl/baseline/baselines.hpp"

#include <fmt/format.h>

#include <cmath>

#include "solver/outer/recover.hpp"
#include "solver/outer/run.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/solver/registered_solver.hpp"
#include "spicymkl/solver/solve.hpp"
#include "wrapper.hpp"

namespace spicymkl {

namespace {

constexpr int kPatience = 500;         // steps without a smaller gap before a run has stalled: cutting planes oscillate
constexpr double kSvmAccuracy = 0.01;  // tolerance of the SVM, relative to that of the run
constexpr double kRetry = 0.7;  // after a model whose proof failed, the next must promise a gap this much smaller

/// The matrix of the SVM, LIBSVM's two copies of it, and a few sums of kernels.
void check_room(const Problem& problem, std::string_view solver) {
  constexpr double kMatrices = 6;
  if (problem.bank().has_room_for(kMatrices)) return;
  const auto n = static_cast<double>(problem.n_samples());
  throw InputError(fmt::format("solver {} needs {:.1f} GB for {} rows, more than the memory allows; use solver auto",
                               solver, kMatrices * sizeof(double) * n * n / 1e9, problem.n_samples()));
}

/// The answer of our own solver, for the sum Σ‖f_m*‖. A sum that is off by a part δ moves the certified gap by about δ,
/// while a gap moves the sum by its square root only: hence the square.
Result solve_beforehand(const Problem& problem, const Settings& settings) {
  Settings own;
  constexpr double kOfSquare = 1e-2, kFinest = 1e-9;  // finer ones are out of reach in double precision now and then
  own.tol = std::max(kOfSquare * settings.tol * settings.tol, kFinest);
  own.watch = settings.watch;
  return solve(problem, own);
}

Vector start_weights(const Problem& problem, const WarmStart& start) {
  const Index M = problem.n_kernels();
  Vector weights = Vector::Zero(M);
  weights(start.kernels) = start_norms(problem, start);
  return weights.sum() > 0 ? on_simplex(weights) : Vector(Vector::Constant(M, 1 / static_cast<double>(M)));
}

/// The block1 problem as seen from the points of a wrapper method: the best model and the best bound so far, judged by
/// norms that are known already, without reading a kernel.
class Harvest {
 public:
  Harvest(const Problem& problem, double box) : problem_(problem), box_(box) {}

  void see(const WeightPoint& point, const Vector& squared_norms) {
    const double alpha = problem_.regularizer().alpha();
    const double dual = problem_.labels().dot(point.dual) * std::min(1.0, alpha / std::sqrt(squared_norms.maxCoeff()));
    if (dual > dual_) {
      dual_ = dual;
      bound_ = point.dual;
    }
    const Matrix unpenalised = problem_.best_unpenalised(point.scores);
    const double norms = box_ * point.weights.dot(squared_norms.cwiseSqrt());
    const double primal = problem_.loss_value(point.scores + problem_.unpenalised_part(unpenalised)) + alpha * norms;
    if (primal >= primal_) return;
    primal_ = primal;
    model_ = {point.dual, {}, {}, unpenalised};
    for (Index m = 0; m < point.weights.size(); ++m)
      if (point.weights(m) > 0) model_.kernels.push_back(m);
    model_.scale = box_ * point.weights(model_.kernels);
  }

  bool empty() const { return bound_.size() == 0 || model_.dual.size() == 0; }
  double gap() const { return relative_gap(primal_, dual_); }
  const Vector& bound() const { return bound_; }
  const Expansion& model() const { return model_; }

 private:
  const Problem& problem_;
  double box_;
  double primal_ = HUGE_VAL, dual_ = -HUGE_VAL;
  Vector bound_;
  Expansion model_;
};

/// Primal, dual and gap as Section 6.1 has them for the wrapper methods.
StepReport report(const WeightObjective& objective, const WeightPoint& point, const Vector& squared_norms, int n_svms) {
  StepReport step;
  step.newton_steps = n_svms;
  step.primal = point.value;
  step.dual = objective.problem().labels().dot(point.dual) - 0.5 * objective.box() * squared_norms.maxCoeff();
  step.n_active = (point.weights.array() > 0).count();
  return step;
}

/// One of the wrapper methods, by its name and what it does with the weights.
class WrapperMethod final : public RegisteredSolver {
 public:
  using MakeUpdate = std::unique_ptr<WeightUpdate> (*)(WeightObjective&, const Settings&);
  WrapperMethod(std::string_view name, MakeUpdate make_update) : name_(name), make_update_(make_update) {}

  std::string_view name() const override { return name_; }
  void check(std::string_view loss, const Regularizer& regularizer, bool fit_intercept) const override;
  Result solve(const Problem& problem, const Settings& settings, const WarmStart& warm_start) const override;

 private:
  [[noreturn]] void refuse(const std::string& what, const char* instead = "use solver auto") const {
    throw InputError(fmt::format("solver {} {}; {}", name_, what, instead));
  }
  Result run(const Problem& problem, double box, const Settings& settings, const WarmStart& start) const;

  std::string_view name_;
  MakeUpdate make_update_;
};

void WrapperMethod::check(std::string_view loss, const Regularizer& regularizer, bool fit_intercept) const {
  if (loss != "hinge")
    refuse(fmt::format("solves the hinge loss, not {}", loss), "give the loss hinge, or use solver auto");
  if (regularizer.name() != "block1") refuse(fmt::format("solves the penalty block1, not {}", regularizer.name()));
  if (!fit_intercept) refuse("always has an intercept");
}

Result WrapperMethod::solve(const Problem& problem, const Settings& asked, const WarmStart& warm_start) const {
  if ((problem.sample_weights().array() != 1).any()) refuse("takes no sample weights");
  if (!problem.constraints().intercept_alone()) refuse("takes no covariates");
  check_room(problem, name_);
  const Settings settings = with_time_limit(asked);
  Result known = solve_beforehand(problem, settings);
  const double norm_sum = known.certificate.norms.sum();
  // Without a kernel there is nothing to weigh, and without time neither.
  if (norm_sum == 0 || known.status == Status::interrupted) return known;
  const double box = 1 / squared_formulation_strength(problem.regularizer().alpha(), norm_sum);
  Result result = run(problem, box, settings, warm_start);
  result.stages = std::move(known.stages);
  add({std::string(name_), result.timers.total, result.iterations}, result.stages);
  return result;
}

Result WrapperMethod::run(const Problem& problem, double box, const Settings& settings, const WarmStart& start) const {
  Run run(problem, settings, {}, kPatience);
  WeightObjective objective(problem, box, kSvmAccuracy * settings.tol);
  const std::unique_ptr<WeightUpdate> update = make_update_(objective, settings);
  Harvest harvest(problem, box);
  const Snapshot snapshot = [&] { return start_at(harvest.model()); };
  const auto offer = [&] {
    if (harvest.empty()) return;  // stopped within the first SVM
    run.bound_by(harvest.bound());
    run.offer(harvest.model());
  };

  WeightPoint point;
  run.attempt([&] { point = objective.at(start_weights(problem, start)); });
  double promising = settings.tol;
  run.repeat([&] {
    Vector squares;
    {
      const ScopedTimer timer(run.timers.passes);
      squares = objective.squared_norms(point);
    }
    harvest.see(point, squares);
    run.record(report(objective, point, squares, objective.take_count()), snapshot);
    if (harvest.gap() <= promising) {
      offer();
      promising = kRetry * harvest.gap();
    }
    if (!run.running()) return;
    const ScopedTimer timer(run.timers.newton);
    std::optional<WeightPoint> next = update->next(point, squares);
    if (next) {
      point = std::move(*next);
    } else if (!run.stop_requested()) {                             // what was requested is noticed by the next record
      if (objective.refine()) point = objective.at(point.weights);  // errors of the SVM may have hidden the way down
      else
        run.give_up(
            fmt::format("solver {} sees no better weights, short of a relative gap of {:g}", name_, settings.tol));
    }
  });
  run.conclude(offer);
  return run.finish(snapshot());
}

}  // namespace

Vector on_simplex(Vector weights) {
  constexpr double kNegligible = 1e-10;  // of the largest
  const double smallest = kNegligible * weights.maxCoeff();
  weights = weights.unaryExpr([&](double w) { return w > smallest ? w : 0; });
  return weights / weights.sum();
}

void register_baselines() {
  [[maybe_unused]] static const bool done = [] {
    register_solver(std::make_shared<WrapperMethod>("silp", make_silp));
    register_solver(std::make_shared<WrapperMethod>("simplemkl", make_simplemkl));
    register_solver(std::make_shared<WrapperMethod>("levelmkl", make_levelmkl));
    register_solver(std::make_shared<WrapperMethod>("hessianmkl", make_hessianmkl));
    return true;
  }();
}

}  // namespace spicymkl
