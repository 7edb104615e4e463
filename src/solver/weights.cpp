#include "weights.hpp"

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "core/monotone_root.hpp"
#include "core/stoppable_cholesky.hpp"
#include "pairwise.hpp"
#include "recover.hpp"
#include "scales.hpp"

namespace spicymkl {

namespace {

constexpr int kMaxRounds = 20;
constexpr double kFinest = 1e-7;      // relative gap; for a finer one Newton steps over the samples are quicker
constexpr double kAccuracy = 0.1;     // part of the tolerance that a fixed-weight solution may use up
constexpr Index kLeastSteps = 20000;  // of the SVM solver,
constexpr double kStepsASample = 30;  // and so many more a sample; if that is not enough, it is stuck
constexpr int kSweeps = 300;          // of coordinate descent over the weights; their number is small
constexpr double kHugeNorm = 1e100;   // in place of infinity
constexpr double kNearLimit = 0.9;    // part of the way to their limit that weights may go in a step

/// h(d), where G(x) = min over d of alpha·x²/(2d) + h(d): the penalty as a price of weights (Section 4.1).
class WeightPrice {
 public:
  explicit WeightPrice(const Regularizer& regularizer) : G_(regularizer), limit_(regularizer.weight(kHugeNorm)) {
    if (std::isnan(limit_)) limit_ = HUGE_VAL;
  }

  double value(double d) const {
    if (d == 0) return 0;
    const double x = norm(d);
    return G_.value(x) - G_.alpha() * x * x / (2 * d);
  }
  /// h′(d) = alpha·(x/d)²/2 at the norm x with weight d
  double slope(double d) const {
    const double ratio = d > 0 ? norm(d) / d : G_.threshold() / G_.alpha();
    return G_.alpha() * ratio * ratio / 2;
  }
  double curvature(double d) const {
    const double step = std::min(1e-4 * std::max(d, 1e-8), 0.1 * (limit_ - d));
    return std::max(0.0, (slope(d + step) - slope(d)) / step);
  }
  /// No weight reaches it: 1/λ with an elastic net, where the price of weights grows beyond all bounds.
  double limit() const { return limit_; }

 private:
  /// The x with weight(x) = d.
  double norm(double d) const {
    double upper = d;
    while (G_.weight(upper) < d && upper < kHugeNorm) upper *= 2;
    return monotone_root([&](double x) { return SlopedValue{G_.weight(x) - d, 1.0}; }, 0.0, upper, d);
  }

  const Regularizer& G_;
  double limit_;
};

/// Weights, the dual vector that is optimal for them, and what follows from it.
struct Point {
  Vector weights;
  Vector rho;
  double value = HUGE_VAL;  // of the problem over weights
  Vector norms;             // ‖ρ‖_Km of every kernel
  Expansion model;
  double primal = 0;
  Vector predictions;
  bool known() const { return std::isfinite(value); }
  PrimalValue value_of_model() const { return {primal, model.scale.cwiseProduct(norms(model.kernels)), predictions}; }
};

/// d in [0, upper] that minimises slopeᵀ(d − start) + (d − start)ᵀH(d − start)/2, by coordinate descent.
Vector minimise_model(const Vector& slope, const Matrix& H, const Vector& start, const Vector& upper) {
  Vector d = start, gradient = slope;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double largest = 0;
    for (Index m = 0; m < d.size(); ++m) {
      const double next = std::clamp(d(m) - gradient(m) / H(m, m), 0.0, upper(m));
      if (next == d(m)) continue;
      largest = std::max(largest, std::abs(next - d(m)));
      gradient += (next - d(m)) * H.col(m);
      d(m) = next;
    }
    if (largest <= 1e-6 * d.maxCoeff()) break;
  }
  return d;
}

class WeightsSolver {
 public:
  WeightsSolver(const Problem& problem, const Settings& settings)
      : problem_(problem),
        settings_(settings),
        alpha_(problem.regularizer().alpha()),
        price_(problem.regularizer()),
        kernels_(all_kernels(problem.n_kernels())),
        images_(problem.n_samples(), problem.n_kernels()) {}

  /// The optimal ρ for these weights, found from `start`; false when the SVM solver is stuck. One pass over all
  /// kernels.
  bool place(Vector weights, const Vector& start, double accuracy, Timers& timers) {
    std::vector<Index> active;
    for (Index m = 0; m < weights.size(); ++m)
      if (weights(m) > 0) active.push_back(m);
    Point next;
    {
      const ScopedTimer timer(timers.newton);
      svm_ = std::make_unique<PairwiseMinimizer>(problem_, active, weights(active) / alpha_, start);
      const auto max_steps = kLeastSteps + static_cast<Index>(kStepsASample * static_cast<double>(start.size()));
      if (!svm_->minimise(accuracy, max_steps, [&] { return settings_.watch.stop_requested(); })) return false;
    }
    const ScopedTimer timer(timers.passes);
    next.weights = std::move(weights);
    next.rho = svm_->rho();
    problem_.bank().products(kernels_, next.rho, images_);
    next.norms = (images_.transpose() * next.rho).cwiseMax(0.0).cwiseSqrt();
    next.value = -svm_->value();
    for (const double d : next.weights) next.value += price_.value(d);
    set_model(active, next);
    at_ = std::move(next);
    return true;
  }

  const Point& at() const { return at_; }

  /// The weights that a Newton step leads to; empty when there is no curvature to go by.
  Vector newton_step(Timers& timers) {
    const ScopedTimer timer(timers.newton);
    const std::vector<Index> free = svm_->free_samples();
    const auto n_free = static_cast<Index>(free.size());
    const double share = static_cast<double>(n_free) / static_cast<double>(at_.rho.size());
    if (n_free < 2 || !problem_.bank().has_room_for(share * share)) return {};
    problem_.bank().watch().check();
    Matrix A = svm_->hessian(free);
    A.diagonal().array() += 1e-10 * A.diagonal().mean();
    const Index n_kernels = at_.weights.size();
    Matrix columns(n_free, n_kernels + 1);
    columns.leftCols(n_kernels) = images_(free, Eigen::all);
    columns.col(n_kernels).setOnes();
    const Matrix images = columns.leftCols(n_kernels);
    if (!stoppable_cholesky(A, problem_.bank().threads(), problem_.bank().watch())) return {};
    blas::cholesky_solve(A, columns);
    // How ρ follows the weights, 1ᵀρ = 0 kept: H_ml = u_mᵀ(A⁻¹ − A⁻¹11ᵀA⁻¹/(1ᵀA⁻¹1))u_l/alpha², u_m = K_mρ on free
    // samples.
    if (problem_.fit_intercept()) {
      const Vector ones = columns.col(n_kernels);
      columns.leftCols(n_kernels) -= ones * (images.transpose() * ones).transpose() / ones.sum();
    }
    Matrix H = images.transpose() * columns.leftCols(n_kernels) / (alpha_ * alpha_);
    Vector slope(n_kernels);
    for (Index m = 0; m < n_kernels; ++m) {
      slope(m) = price_.slope(at_.weights(m)) - at_.norms(m) * at_.norms(m) / (2 * alpha_);
      H(m, m) += price_.curvature(at_.weights(m));
    }
    H.diagonal().array() += 1e-10 * H.diagonal().maxCoeff();
    if (!H.allFinite()) return {};
    const Vector upper = at_.weights.array() + kNearLimit * (price_.limit() - at_.weights.array());
    return minimise_model(slope, H, at_.weights, upper);
  }

 private:
  /// f_m = (d_m/alpha) Σ_i ρ_i k_m(x_i, ·): already in the stored form.
  void set_model(const std::vector<Index>& active, Point& point) const {
    const Vector scale = point.weights(active) / alpha_;
    Vector f = images_(Eigen::all, active) * scale;
    const double intercept = problem_.best_intercept(f);
    f.array() += intercept;
    point.primal = problem_.loss_value(f);
    point.predictions = f;
    for (std::size_t k = 0; k < active.size(); ++k)
      point.primal += problem_.regularizer().value(scale(static_cast<Index>(k)) * point.norms(active[k]));
    point.model = {point.rho, active, scale, intercept};
  }

  const Problem& problem_;
  const Settings& settings_;
  double alpha_;
  WeightPrice price_;
  std::vector<Index> kernels_;
  Matrix images_;  // K_mρ
  std::unique_ptr<PairwiseMinimizer> svm_;
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
    return Vector::Constant(problem.n_kernels(), std::min(d, 0.5 * WeightPrice(G).limit()));
  }
  const Iterate iterate = iterate_at(problem, start);
  Vector weights = Vector::Zero(problem.n_kernels());
  for (std::size_t k = 0; k < iterate.kernels.size(); ++k)
    weights(iterate.kernels[k]) = G.weight(iterate.norms(static_cast<Index>(k)));
  return weights;
}

}  // namespace

bool suits_newton_on_weights(const Problem& problem) {
  return problem.regularizer().threshold() > 0 && PairwiseMinimizer::suits(problem.loss()) &&
         problem.bank().has_columns();
}

Result solve_weights(const Problem& problem, const Settings& settings, const WarmStart& warm_start, const Role& role) {
  Run run(problem, settings, role);
  WeightsSolver solver(problem, settings);
  const Problem::Constant constant = problem.best_constant();
  Vector rho = problem.feasible(warm_start.empty() ? constant.dual : warm_start.dual);
  Vector weights = first_weights(problem, warm_start);
  const double whole = problem.loss_value(Vector::Constant(problem.n_samples(), constant.intercept));
  const double finest = std::max(settings.tol, kFinest);
  double share = kAccuracy;  // of the tolerance
  Point best;
  const Snapshot snapshot = [&] { return start_at(best.model); };
  run.remember(warm_start);
  bool stuck = false;
  for (int round = 0; round < kMaxRounds && run.going_on() && !stuck; ++round)
    run.attempt([&] {
      const double accuracy = share * finest * std::min(whole, best.known() ? best.primal : whole);
      stuck = !solver.place(weights, rho, accuracy, run.timers);
      if (stuck) return;
      const Point& at = solver.at();
      rho = at.rho;
      if (at.value > best.value + accuracy) {  // too far
        weights = 0.5 * (weights + best.weights);
        return;
      }
      if (at.value > best.value - accuracy) share *= 0.1;  // no progress beyond what the accuracy can tell
      best = at;
      run.remember(best.model, best.value_of_model());
      run.bound_by(at.rho, at.norms);
      run.record({.gamma = HUGE_VAL,
                  .newton_steps = 1,
                  .primal = at.primal,
                  .n_active = static_cast<Index>(at.model.kernels.size())},
                 snapshot);
      if (run.gap() <= settings.tol) run.offer(at.model);
      stuck = run.gap() <= finest;
      if (!run.going_on() || stuck) return;
      weights = solver.newton_step(run.timers);
      stuck = weights.size() == 0;
    });
  if (run.going_on() && run.stop_requested()) run.interrupt();
  const bool interrupted = !run.going_on() && !run.converged();
  run.conclude([&] {
    if (best.known()) run.offer(best.model);
    else if (interrupted) run.offer(first_model(problem, warm_start));
  });
  if (run.going_on()) run.give_up("Newton's method on the kernel weights is stuck");
  return run.finish(snapshot());
}

}  // namespace spicymkl
