#include "weights.hpp"

#include <algorithm>
#include <cmath>

#include "recover.hpp"
#include "scales.hpp"
#include "solver/inner/fixed_weights.hpp"
#include "solver/inner/weight_model.hpp"

namespace spicymkl {

namespace {

constexpr int kMaxRounds = 20;
constexpr double kFinest = 1e-7;       // relative gap; for a finer one Newton steps over the samples are quicker
constexpr int kMostFailures = 3;       // of the solver for fixed weights, after each of which they change less
constexpr double kAccuracy = 0.1;      // part of the tolerance that a fixed-weight solution may use up
constexpr double kModelRidge = 1e-10;  // on the Hessian over the weights, relative to its largest diagonal entry
constexpr double kFiner = 0.1;         // times as much accuracy is asked for where it hides progress
constexpr double kFirstPart = 0.5;     // of their limit that first weights may have
constexpr double kNearLimit = 0.9;     // part of the way to their limit that weights may go in a step

/// Weights, the dual vector that is optimal for them, and what follows from it.
struct Point {
  Vector weights;
  Vector rho;
  double value = HUGE_VAL;  // of the problem over weights
  Vector norms;             // ‖ρ‖_Km of every kernel
  Expansion model;
  PrimalValue primal{};  // of the model
  bool known() const { return std::isfinite(value); }
};

class WeightsSolver {
 public:
  WeightsSolver(const Problem& problem, const Settings& settings)
      : problem_(problem),
        settings_(settings),
        alpha_(problem.regularizer().alpha()),
        dual_(make_fixed_weights(problem, settings.watch)) {}

  /// The optimal ρ for these weights, found from `start`; false when its solver is stuck. One pass over all kernels.
  bool place(Vector weights, const Vector& start, double accuracy, Timers& timers) {
    std::vector<Index> active;
    for (Index m = 0; m < weights.size(); ++m)
      if (weights(m) > 0) active.push_back(m);
    Point next;
    {
      const ScopedTimer timer(timers.newton);
      if (!dual_->minimise(active, weights(active) / alpha_, start, accuracy)) return false;
    }
    const ScopedTimer timer(timers.passes);
    next.weights = std::move(weights);
    next.rho = dual_->rho();
    next.norms = dual_->squared_norms().cwiseMax(0.0).cwiseSqrt();
    next.value = -dual_->value();
    for (const double d : next.weights) next.value += alpha_ / 2 * problem_.regularizer().weight_price(d).value;
    set_model(active, next);
    at_ = std::move(next);
    return true;
  }

  const Point& at() const { return at_; }

  /// The weights that a Newton step leads to; empty when there is no curvature to go by.
  Vector newton_step(Timers& timers) {
    const ScopedTimer timer(timers.newton);
    const Index n_kernels = at_.weights.size();
    Vector slope(n_kernels);
    std::vector<Index> moving;
    for (Index m = 0; m < n_kernels; ++m) {
      const double price = alpha_ / 2 * problem_.regularizer().weight_price(at_.weights(m)).slope;
      slope(m) = price - at_.norms(m) * at_.norms(m) / (2 * alpha_);
      if (at_.weights(m) > 0 || slope(m) <= dual_->stays_out() * price) moving.push_back(m);
    }
    problem_.bank().watch().check();
    Matrix H = dual_->hessian(moving);
    if (H.size() == 0) return {};
    H /= alpha_ * alpha_;
    for (Index k = 0; k < H.rows(); ++k)
      H(k, k) += alpha_ / 2 * problem_.regularizer().weight_price(at_.weights(moving[k])).curvature;
    H.diagonal().array() += kModelRidge * H.diagonal().maxCoeff();
    if (!H.allFinite()) return {};
    const double largest = problem_.regularizer().largest_weight();
    const Vector upper = at_.weights.array() + kNearLimit * (largest - at_.weights.array());
    Vector next = at_.weights;
    next(moving) = descend_model(slope(moving), H, at_.weights(moving), upper(moving));
    return next;
  }

 private:
  /// f_m = (d_m/alpha) Σ_i ρ_i k_m(x_i, ·): already in the stored form.
  void set_model(const std::vector<Index>& active, Point& point) const {
    const Vector scale = point.weights(active) / alpha_;
    Vector f = dual_->predictions(active, scale);
    const Matrix unpenalised = problem_.best_unpenalised(f);
    f += problem_.unpenalised_part(unpenalised);
    const Vector norms = scale.cwiseProduct(point.norms(active));
    point.primal = primal_value(problem_, std::move(f), norms);
    point.model = {point.rho, active, scale, unpenalised};
  }

  const Problem& problem_;
  const Settings& settings_;
  double alpha_;
  std::unique_ptr<FixedWeights> dual_;
  Point at_;
};

/// Of the solution to which ρ would belong if it were optimal, ‖f_m‖ = G*′(‖ρ‖_Km) (end of Section 4.3).
Vector weights_from_dual(const Problem& problem, const Vector& rho) {
  const Regularizer& G = problem.regularizer();
  Vector squares(problem.n_kernels());
  problem.bank().quadratic_forms(all_kernels(problem.n_kernels()), rho, squares);
  return squares.cwiseMax(0.0).unaryExpr([&](double s) { return G.weight(G.conjugate_slope(std::sqrt(s))); });
}

/// Weights to begin with: those of the start, else all alike and together as large as fitting the labels may take.
Vector first_weights(const Problem& problem, const WarmStart& start) {
  const Regularizer& G = problem.regularizer();
  if (!start.empty() && start.kernels.empty() && G.has_smooth_dual()) return weights_from_dual(problem, start.dual);
  if (start.kernels.empty()) {
    const double d = first_gamma(problem) * G.alpha() / static_cast<double>(problem.n_kernels());
    return Vector::Constant(problem.n_kernels(), std::min(d, kFirstPart * G.largest_weight()));
  }
  const Iterate iterate = iterate_at(problem, start);
  Vector weights = Vector::Zero(problem.n_kernels());
  for (Index k = 0; k < iterate.norms.size(); ++k) weights(iterate.kernels[k]) = G.weight(iterate.norms(k));
  return weights;
}

}  // namespace

Result solve_weights(const Problem& problem, const Settings& settings, const WarmStart& warm_start, const Role& role) {
  Run run(problem, settings, role);
  WeightsSolver solver(problem, settings);
  const Problem::Constant constant = problem.best_constant();
  Vector rho = problem.feasible(warm_start.empty() ? constant.dual : warm_start.dual);
  Vector weights = first_weights(problem, warm_start);
  const double whole = problem.loss_value(problem.unpenalised_part(constant.unpenalised));
  const double finest = std::max(settings.tol, kFinest);
  double share = kAccuracy;  // of the tolerance
  Point best;
  const Snapshot snapshot = [&] { return start_at(best.model); };
  run.remember(warm_start);
  bool stuck = false;
  int failures = 0;
  for (int round = 0; round < kMaxRounds && run.running() && !stuck; ++round)
    run.attempt([&] {
      const double accuracy = share * finest * std::min(whole, best.known() ? best.primal.value : whole);
      if (!solver.place(weights, rho, accuracy, run.timers)) {
        stuck = !best.known() || ++failures > kMostFailures;
        if (stuck) return;
        weights = 0.5 * (weights + best.weights);  // nearer to where its solver got on
        rho = best.rho;
        return;
      }
      const Point& at = solver.at();
      rho = at.rho;
      if (at.value > best.value + accuracy) {
        weights = 0.5 * (weights + best.weights);  // half as far
        return;
      }
      if (at.value > best.value - accuracy) share *= kFiner;  // no progress beyond the accuracy
      best = at;
      run.remember(best.model, best.primal);
      run.bound_by(at.rho, at.norms);
      run.record(
          {.gamma = HUGE_VAL, .newton_steps = 1, .primal = at.primal.value, .n_active = std::ssize(at.model.kernels)},
          snapshot);
      if (run.gap() <= settings.tol) run.offer(at.model);
      stuck = run.gap() <= finest;
      if (!run.running() || stuck) return;
      weights = solver.newton_step(run.timers);
      stuck = weights.size() == 0;
    });
  if (run.running() && run.stop_requested()) run.interrupt();
  const bool interrupted = !run.running() && !run.converged();
  run.conclude([&] {
    if (best.known()) run.offer(best.model);
    else if (interrupted) run.offer(first_model(problem, warm_start));
  });
  if (run.running()) run.give_up("Newton's method on the kernel weights is stuck");
  return run.finish(snapshot());
}

}  // namespace spicymkl
