#include "run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problem/quick_bound.hpp"
#include "recover.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr double kPoor = 0.1;         // relative gap beyond which a constant may be the better model
constexpr int kNewtonPatience = 500;  // Newton steps without a smaller gap
constexpr double kClearly = 0.9;      // times a gap is clearly smaller
constexpr double kNegligible = 0.1;   // part of the tolerance that an estimated bound may give away

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::max_iterations:
      return "max_iterations";
    case Status::stalled:
      return "stalled";
    case Status::interrupted:
      return "interrupted";
  }
  return "unknown";
}

void check(const Settings& settings) {
  if (!(settings.tol > 0 && std::isfinite(settings.tol)))
    throw InputError(fmt::format("tol is {}, but the relative duality gap to reach must be above 0", settings.tol));
  if (settings.max_iter < 1)
    throw InputError(fmt::format("max_iter is {}, but at least 1 iteration is needed", settings.max_iter));
  if (settings.max_newton < 1)
    throw InputError(fmt::format("max_newton is {}, but at least 1 Newton step is needed", settings.max_newton));
  if (!(settings.max_seconds >= 0))
    throw InputError(fmt::format("max_seconds is {}, but it must be 0 (no limit) or more", settings.max_seconds));
}

Settings with_time_limit(Settings settings) {
  settings.watch = settings.watch.limited(settings.max_seconds);
  settings.max_seconds = 0;
  return settings;
}

Run::Run(const Problem& problem, const Settings& settings, const Role& role, int patience)
    : problem_(problem), settings_(settings), role_(role), patience_(patience) {
  check(settings);
}

DualBound Run::bound_by(ConstVectorRef rho) {
  const ScopedTimer timer(timers.passes);
  return keep(dual_bound(problem_, rho));
}

DualBound Run::bound_by(ConstVectorRef rho, const Vector& norms) {
  if (role_.proves) return bound_by(rho);
  // Being made feasible moves ρ, and by so much at most its norms: ‖ρ′‖_Km ≤ ‖ρ‖_Km + √trace(K_m)·‖ρ′ − ρ‖.
  Vector feasible = problem_.feasible(rho);
  Vector upper(norms.size());
  for (Index m = 0; m < upper.size(); ++m) upper(m) = std::sqrt(problem_.bank().trace(m));
  upper *= (feasible - rho).norm();
  if (upper.size() > 0 && upper.maxCoeff() > kNegligible * settings_.tol * problem_.regularizer().threshold())
    return bound_by(rho);
  return bound_from(std::move(feasible), (norms + upper).cwiseAbs2());
}

DualBound Run::bound_by(ConstVectorRef rho, Screening& screening) {
  const ScopedTimer timer(timers.passes);
  return keep(screening.bound_by(rho));
}

DualBound Run::bound_from(Vector feasible, Vector squared_norms) {
  return keep(dual_bound_from(problem_, std::move(feasible), std::move(squared_norms)));
}

DualBound Run::keep(DualBound bound) {
  if (bound.value() > best_dual_.value()) best_dual_ = bound;
  return bound;
}

void Run::record(const StepReport& step, const Snapshot& snapshot) {
  Record record;
  record.iteration = static_cast<int>(history_.size());
  record.seconds = clock_.seconds();
  record.gamma = step.gamma;
  record.newton_steps = step.newton_steps;
  record.primal = step.primal;
  record.dual = step.dual.value_or(best_dual_.value());
  record.gap = relative_gap(step.primal, record.dual);
  record.n_active = step.n_active;
  // Beside an optimum of 0 every gap is 1: then the smaller primal value is the better one.
  const bool smallest = std::all_of(history_.begin(), history_.end(), [&](const Record& r) {
    return std::pair(record.gap, record.primal) < std::pair(r.gap, r.primal);
  });
  idle_steps_ = smallest ? 0 : idle_steps_ + 1;
  idle_newton_steps_ = smallest ? 0 : idle_newton_steps_ + step.newton_steps;
  history_.push_back(record);
  result_.iterations = record.iteration;
  result_.newton_steps += step.newton_steps;
  if (settings_.checkpoint) settings_.checkpoint(snapshot);
  const bool refused = settings_.callback && !settings_.callback(record);
  if (refused || stop_requested()) interrupt();
  else if (record.iteration >= settings_.max_iter)
    stop(Status::max_iterations,
         fmt::format("{} not enough for a relative gap of {:g}; raise max_iter",
                     settings_.max_iter == 1 ? "1 outer iteration was"
                                             : fmt::format("{} outer iterations were", settings_.max_iter),
                     settings_.tol));
  else if (stalled())
    stop(Status::stalled,
         fmt::format(
             "the gap hardly falls any more after {} outer iterations; a relative gap of {:g} seems out of reach "
             "in double precision here, try a larger tol",
             record.iteration, settings_.tol));
}

bool Run::stalled() const {
  if (idle_newton_steps_ > kNewtonPatience) return true;
  if (std::ssize(history_) <= 2 * patience_) return false;
  const auto smaller_gap = [](const Record& a, const Record& b) { return a.gap < b.gap; };
  const auto recent = history_.end() - patience_;
  return std::min_element(recent, history_.end(), smaller_gap)->gap >=
         kClearly * std::min_element(history_.begin(), recent, smaller_gap)->gap;
}

void Run::interrupt() {
  const std::string reason = settings_.watch.reason();
  stop(Status::interrupted, reason.empty() ? problem_.bank().watch().reason() : reason);
  if (result_.message.empty()) result_.message = "stopped by the caller";
}

void Run::remember(const Expansion& model, const PrimalValue& primal) {
  if (!std::isfinite(primal.value) || (remembered_ && primal.value >= remembered_->primal.value)) return;
  remembered_ = KnownModel{model, primal};
}

void Run::remember(const WarmStart& start) {
  if (start.model) remember(start.model->expansion, start.model->primal);
}

namespace {

/// Not even a constant has a loss that is a number.
[[noreturn]] void refuse_labels(const Problem& problem) {
  throw InputError(
      fmt::format("the {} loss of labels up to {:g} is beyond the range of double precision; divide the labels by a "
                  "constant",
                  problem.loss().name(), problem.labels().lpNorm<Eigen::Infinity>()));
}

}  // namespace

void Run::settle() {
  if (result_.status != Status::interrupted) return;
  if (!std::isfinite(best_dual_.value())) keep(quick_dual_bound(problem_, problem_.best_constant().dual));
  if (!accepted_ && !remembered_) {
    const Expansion constant = constant_expansion(problem_);
    remember(constant, primal_value(problem_, constant));
    if (!remembered_) refuse_labels(problem_);
  }
  if (remembered_ && (!accepted_ || remembered_->primal.value < accepted_->primal.value))
    accepted_ = std::move(remembered_);
}

void Run::stop(Status status, std::string message) {
  running_ = false;
  result_.status = status;
  result_.message = std::move(message);
}

void Run::offer(Expansion expansion) {
  const ScopedTimer timer(timers.certificate);
  PrimalValue primal = primal_value(problem_, expansion);
  if (relative_gap(primal, best_dual_.value()) > settings_.tol) bound_by(expansion.dual);  // it may prove more
  consider({std::move(expansion), std::move(primal)});
}

void Run::offer(Expansion expansion, PrimalValue known) {
  if (role_.proves) offer(std::move(expansion));
  else consider({std::move(expansion), std::move(known)});
}

void Run::consider(KnownModel model) {
  if (!is_finite(model.expansion, certify(model.primal, best_dual_))) return;
  if (!accepted_ || model.primal.largest() < accepted_->primal.largest()) accepted_ = std::move(model);
  if (relative_gap(accepted_->primal, best_dual_.value()) <= settings_.tol) {
    running_ = false;
    call_converged(result_, settings_.tol);
  }
}

void Run::remember_constant() {
  const Vector& dual = problem_.best_constant().dual;
  bound_from(dual, quick_squared_norms(problem_, dual));
  const Expansion constant = constant_expansion(problem_);
  remember(constant, primal_value(problem_, constant));
}

void Run::offer_constant() {
  const Problem::Constant constant = problem_.best_constant();
  const Expansion expansion{constant.dual, {}, Vector(0), constant.unpenalised};
  const PrimalValue primal = primal_value(problem_, expansion);
  bound_by(constant.dual);
  if (!is_finite(expansion, certify(primal, best_dual_))) refuse_labels(problem_);
  consider({expansion, primal});
}

Result Run::finish(WarmStart warm_start) {
  settle();
  // No model that was offered had finite numbers, or the best may be no better than none.
  const bool useless = !accepted_ || relative_gap(accepted_->primal, best_dual_.value()) > kPoor;
  if (useless && result_.status != Status::interrupted) offer_constant();
  result_.expansion = std::move(accepted_->expansion);
  result_.certificate = certify(std::move(accepted_->primal), best_dual_);
  result_.bound = best_dual_;
  result_.history = std::move(history_);
  result_.warm_start = std::move(warm_start);
  timers.total = clock_.seconds();
  result_.timers = timers;
  return std::move(result_);
}

}  // namespace spicymkl
