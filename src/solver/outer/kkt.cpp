#include "kkt.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/blas.hpp"
#include "core/renew.hpp"
#include "core/row_sums.hpp"
#include "core/tall_products.hpp"
#include "recover.hpp"
#include "scales.hpp"
#include "solver/inner/sample_terms.hpp"
#include "solver/inner/weight_model.hpp"

namespace spicymkl {

namespace {

constexpr double kNearThreshold = 0.9;  // of alpha: kernels whose norm is above it may enter
constexpr double kViolated = 1e-3;      // part of alpha by which a kernel that was left out has to exceed it
constexpr int kMostRounds = 3;          // of adding such kernels to the linearised conditions
constexpr double kRidge = 1e-10;        // on their matrix, relative to its largest diagonal entry
constexpr double kSameLength = 1e-3;    // relative
constexpr int kHalvings = 6;            // of a step
constexpr double kMayRise = 1e-3;       // part of the gap by which a step may raise the primal value
constexpr double kWorthABound = 4;      // times the tolerance: an estimated gap from which on a bound is worth a pass,
constexpr double kMuchBetter = 0.5;     // or so many times the gap that is proved
constexpr double kLeastCurvature = 1e-12;  // of conjugates, in units of a typical one

/// f_m = x_m K_mρ/‖ρ‖_Km
struct KktPoint {
  Vector rho;
  Vector lengths;  // x_m
  Matrix images;   // K_mρ
  Vector norms;    // ‖ρ‖_Km
  Matrix unpenalised;
  PrimalValue primal{};

  /// x_m/‖ρ‖_Km, the weights of the kernels in the Hessian; 0 where ρ does not meet a kernel.
  Vector scales() const {
    return (norms.array() > 0).select(lengths.cwiseQuotient(norms.cwiseMax(std::numeric_limits<double>::min())), 0.0);
  }
};

std::vector<Index> positive(const Vector& v) {
  std::vector<Index> places;
  for (Index m = 0; m < v.size(); ++m)
    if (v(m) > 0) places.push_back(m);
  return places;
}

class KktSolver {
 public:
  KktSolver(const Problem& problem, const WarmStart& start)
      : problem_(problem),
        alpha_(problem.regularizer().dual_bound()),
        least_curvature_(kLeastCurvature * estimate_scales(problem).curvature),
        samples_(problem),
        system_(problem.bank().make_newton_system()) {
    if (const Matrix& C = problem.constraints().columns(); C.cols() > 0)
      unpenalised_moments_.compute(C.transpose() * C);
    system_->take_over(start.newton);
    at_.lengths = Vector::Zero(problem.n_kernels());
    if (start.kernels.empty()) {
      at_.rho = start.empty() ? problem.best_constant().dual : problem.feasible(start.dual);
      set_images(at_);
    } else {
      take_coefficients(start);
    }
    set_primal(at_, predictions(at_.images, at_.scales()));
  }

  const KktPoint& at() const { return at_; }

  Expansion model() const {
    Expansion model{at_.rho, positive(at_.lengths), {}, at_.unpenalised};
    model.scale = at_.scales()(model.kernels);
    return model;
  }

  WarmStart warm_start() const {
    WarmStart start = start_at(model());
    start.newton = system_->hand_on();
    return start;
  }

  /// For methods that need ρ inside the domain of the losses: what the samples answer to the model.
  WarmStart start_for_others() {
    WarmStart start = warm_start();
    start.dual = samples_.sharp_answer(at_.primal.predictions);
    return start;
  }

  /// One step, after which the primal value may be larger by `rise`; false where there is none.
  bool step(double rise, Timers& timers) {
    if (problem_.n_kernels() == 0) return false;
    set_length();
    {
      const ScopedTimer timer(timers.newton);
      if (!linearise()) return false;
    }
    const ScopedTimer timer(timers.passes);
    set_images(next_);
    set_primal(next_, predictions(next_.images, next_.scales()));
    if (!(next_.primal.value <= at_.primal.value + rise) && !shorten()) return false;
    std::swap(at_, next_);
    return true;
  }

 private:
  int threads() const { return problem_.bank().threads(); }

  void set_images(KktPoint& point) const {
    renew(point.images, problem_.n_samples(), problem_.n_kernels());
    problem_.bank().products(all_kernels(problem_.n_kernels()), point.rho, point.images);
    point.norms = tall_inner_products(point.images, point.rho, threads()).cwiseMax(0.0).cwiseSqrt();
  }

  /// Σ scales_m K_mρ
  Vector predictions(const Matrix& images, const Vector& scales) const {
    Vector f = Vector::Zero(images.rows());
    blas::add_product(1, images, scales, f, threads());
    return f;
  }

  void set_primal(KktPoint& point, Vector f) const {
    point.unpenalised = problem_.best_unpenalised(f);
    f += problem_.unpenalised_part(point.unpenalised);
    const std::vector<Index> active = positive(point.lengths);
    point.primal = primal_value(problem_, std::move(f), point.lengths(active));
  }

  /// Calls body(m) for every kernel, which works on a column of N.
  template <class Body>
  void for_each_column(const Body& body) const {
    parallel_for(problem_.n_kernels(), threads(), kFromMemory * static_cast<double>(problem_.n_samples()),
                 [&](Index begin, Index end) {
                   for (Index m = begin; m < end; ++m) body(m);
                 });
  }

  /// Functions do not change when ρ is multiplied by a number, but the weights of the kernels in the Hessian do: they
  /// are right where ρ is as long as at a solution.
  void set_length() {
    const Vector in_use = (at_.lengths.array() > 0).select(at_.norms, 0.0);
    const double longest = in_use.maxCoeff() > 0 ? in_use.maxCoeff() : std::max(at_.norms.maxCoeff(), alpha_);
    const double factor = alpha_ / longest;
    if (std::abs(factor - 1) < kSameLength) return;
    at_.rho *= factor;
    for_each_column([&](Index m) { at_.images.col(m) *= factor; });
    at_.norms *= factor;
  }

  /// Where coefficients are those of a model they are multiples of one vector; where they are not, the largest speaks
  /// for all. It is as long as at a solution.
  void take_coefficients(const WarmStart& start) {
    const Vector norms = start_norms(problem_, start);
    for (Index k = 0; k < norms.size(); ++k) at_.lengths(start.kernels[k]) = norms(k);
    Index largest = 0;
    at_.rho = norms.maxCoeff(&largest) > 0 ? Vector(start.coef.col(largest) * (alpha_ / norms(largest)))
                                           : problem_.feasible(start.dual);
    const DualConstraints& constraints = problem_.constraints();  // steps keep them
    constraints.restore(Vector::Ones(at_.rho.size()), at_.rho);
    set_images(at_);
    at_.lengths = (at_.norms.array() > 0).select(at_.lengths, 0.0);
  }

  /// At ρ̄, which the samples answer to the present predictions, ∇ψ(ρ⁺) ≈ ∇ψ(ρ̄) + ∇²ψ(ρ̄)(ρ⁺ − ρ̄). Of a kernel's part
  /// x_m K_mρ/‖ρ‖_Km the derivatives at ρ are u_m by x_m, and w_m(K_m − u_m u_mᵀ) by ρ, with w_m = x_m/‖ρ‖_Km. As
  /// (K_m − u_m u_mᵀ)ρ is 0, the conditions become
  ///   (∇²ψ + Σ w_mK_m)ρ⁺ + Σ e_m u_m + Cb⁺ = ∇²ψ·ρ̄ − ∇ψ(ρ̄),  e_m = x_m⁺ − w_m u_mᵀρ⁺,
  ///   u_mᵀρ⁺ ≤ alpha with x_m⁺ ≥ 0.
  /// u_mᵀρ⁺ is alpha where x_m⁺ > 0, so that e_m = x_m⁺ − w_m·alpha is right for all kernels but those that leave. With
  /// ρ⁺ = ρ₀ − Ze they are the conditions of a quadratic programme over x⁺. What is solved for is ρ₀ − ρ, so that
  /// systems that are solved to a few digits leave an error of the size of the step.
  bool linearise() {
    const Vector answer = samples_.sharp_answer(at_.primal.predictions);
    Vector gradient(answer.size()), curvature(answer.size());
    samples_.value_and_gradient(answer, gradient, &curvature);
    curvature = curvature.cwiseMax(least_curvature_);
    const Vector weights = at_.scales();
    const std::vector<Index> active = positive(weights);
    if (!factor(active, weights(active), curvature)) return false;
    const Vector change = answer - at_.rho;
    Vector right = curvature.cwiseProduct(change) - gradient - predictions(at_.images, weights);
    if (samples_.nested_sums().count() > 0) right += samples_.nested_sums().product(change);
    right -= problem_.unpenalised_part(at_.unpenalised);  // for b⁺ − b: few digits of a large b⁺ would be too few
    make_room(1);
    sides_.col(0) = right;

    std::vector<Index> entering;
    for (Index m = 0; m < at_.norms.size(); ++m)
      if (weights(m) > 0 || at_.norms(m) > kNearThreshold * alpha_) entering.push_back(m);
    std::vector<Index> moving;
    for (int round = 0; round < kMostRounds && (round == 0 || !entering.empty()); ++round) {
      solve_for(entering, round == 0 ? 0 : 1 + std::ssize(moving));
      moving.insert(moving.end(), entering.begin(), entering.end());
      solve_conditions(moving, weights);
      entering = violated(moving);
    }
    if (!moving.empty()) solve_sharply(right, moving, weights);
    return next_.rho.allFinite() && next_.lengths.allFinite();
  }

  bool factor(const std::vector<Index>& active, const Vector& weights, const Vector& curvature) {
    const NestedSums& nested = samples_.nested_sums();
    const bool as_they_are = nested.count() > 0 && system_->takes_nested_sums();
    const Matrix columns = as_they_are ? Matrix(curvature.size(), 0) : nested.columns(curvature.size());
    return system_->factor({active, weights, curvature, columns, columns.cols(), as_they_are ? &nested : nullptr});
  }

  /// Room for so many columns and those of the constraints; it is kept, since new memory is slow to get.
  void make_room(Index n_columns) {
    const Index needed = n_columns + problem_.constraints().n_columns();
    if (sides_.cols() < needed) sides_.conservativeResize(problem_.n_samples(), needed + needed / 2);
  }

  /// Less what the columns that are not penalised explain: answers within the constraints do not change, and few digits
  /// of them are not lost to a large constant.
  Vector without_constants(const Vector& image) const {
    const Matrix& C = problem_.constraints().columns();
    if (C.cols() == 0) return image;
    Vector rest = image;
    Eigen::Map<Matrix> outputs(rest.data(), C.rows(), problem_.n_outputs());
    outputs -= C * unpenalised_moments_.solve(C.transpose() * outputs);
    return rest;
  }

  /// Solves for the columns of `sides_` from `first` on, after which come the K_mρ of these kernels.
  void solve_for(const std::vector<Index>& kernels, Index first) {
    const Index n_new = std::ssize(kernels), from = std::max<Index>(first, 1);
    make_room(from + n_new);
    parallel_for(n_new, threads(), kFromMemory * static_cast<double>(sides_.rows()), [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) sides_.col(from + k) = without_constants(at_.images.col(kernels[k]));
    });
    Matrix multipliers(problem_.constraints().n_columns(), problem_.n_outputs());
    const Index width = from + n_new - first + problem_.constraints().n_columns();
    system_->solve_within(problem_.constraints(), sides_.middleCols(first, width), multipliers,
                          kernels.empty() ? Digits::direction : Digits::few);
  }

  /// ρ⁺ once more, by one system for all of it: those of single kernels, which the quadratic programme is made of, are
  /// solved to few digits.
  void solve_sharply(const Vector& right, const std::vector<Index>& moving, const Vector& weights) {
    Vector part = Vector::Zero(weights.size());  // e_m/‖ρ‖_Km
    for (const Index m : moving) part(m) = (next_.lengths(m) - alpha_ * weights(m)) / at_.norms(m);
    sides_.col(0) = right - predictions(at_.images, part);
    solve_for({}, 0);
    next_.rho = at_.rho + sides_.col(0);
  }

  /// The quadratic programme. `sides_` is ρ₀ − ρ, and then Z, each column times the ‖ρ‖_Km of its kernel.
  void solve_conditions(const std::vector<Index>& moving, const Vector& weights) {
    next_.lengths = Vector::Zero(at_.lengths.size());
    next_.rho = at_.rho + sides_.col(0);
    if (moving.empty()) return;
    const Index count = std::ssize(moving);
    const auto through = sides_.middleCols(1, count);
    const Vector inverted = at_.norms(moving).cwiseInverse();
    Matrix H = tall_inner_products(at_.images, moving, through, threads());  // uᵀZu
    H = (inverted.asDiagonal() * (0.5 * (H + H.transpose())) * inverted.asDiagonal()).eval();
    const Vector along = tall_inner_products(at_.images, next_.rho, threads())(moving).cwiseProduct(inverted);
    const Vector start = at_.lengths(moving), offset = alpha_ * weights(moving);
    const Vector slope = H * (start - offset) - along + Vector::Constant(count, alpha_);
    H.diagonal().array() += kRidge * H.diagonal().maxCoeff();
    const Vector found =
        minimise_model(slope, H, start, Vector::Constant(count, std::numeric_limits<double>::infinity()));
    next_.lengths(moving) = found;
    blas::add_product(-1, through, (found - offset).cwiseProduct(inverted), next_.rho, threads());
  }

  /// Kernels that were left out of the conditions and would violate them.
  std::vector<Index> violated(const std::vector<Index>& moving) const {
    Vector along = tall_inner_products(at_.images, next_.rho, threads());
    for (const Index m : moving) along(m) = 0;
    std::vector<Index> found;
    for (Index m = 0; m < along.size(); ++m)
      if (at_.norms(m) > 0 && along(m) > (1 + kViolated) * alpha_ * at_.norms(m)) found.push_back(m);
    return found;
  }

  /// Half of the step, or less, as long as the primal value falls; false where it never does. Reads no kernel.
  bool shorten() {
    const Vector crossed = tall_inner_products(at_.images, next_.rho, threads());  // ρᵀK_mρ⁺
    KktPoint best;
    double best_part = 0, part = 1;
    for (int k = 0; k < kHalvings; ++k) {
      part /= 2;
      KktPoint trial;
      trial.lengths = (1 - part) * at_.lengths + part * next_.lengths;
      trial.norms = ((1 - part) * (1 - part) * at_.norms.cwiseAbs2() + 2 * part * (1 - part) * crossed +
                     part * part * next_.norms.cwiseAbs2())
                        .cwiseMax(0.0)
                        .cwiseSqrt();
      const Vector scales = trial.scales();
      set_primal(trial, predictions(at_.images, (1 - part) * scales) + predictions(next_.images, part * scales));
      if (best_part > 0 && trial.primal.value >= best.primal.value) break;
      if (trial.primal.value < at_.primal.value) {
        best = std::move(trial);
        best_part = part;
      }
    }
    if (best_part == 0) return false;
    best.rho = (1 - best_part) * at_.rho + best_part * next_.rho;
    best.images = std::move(next_.images);
    for_each_column(
        [&](Index m) { best.images.col(m) = (1 - best_part) * at_.images.col(m) + best_part * best.images.col(m); });
    next_ = std::move(best);
    return true;
  }

  const Problem& problem_;
  double alpha_, least_curvature_;
  SampleTerms samples_;
  std::unique_ptr<NewtonSystem> system_;
  Eigen::LDLT<Matrix> unpenalised_moments_;  // CᵀC
  KktPoint at_, next_;
  Matrix sides_;
};

}  // namespace

Result solve_kkt(const Problem& problem, const Settings& settings, const WarmStart& warm_start, const Role& role) {
  Run run(problem, settings, role);
  run.remember_constant();
  KktSolver solver(problem, warm_start);
  const Snapshot snapshot = [&] { return solver.warm_start(); };
  const auto note = [&](int steps) {
    const KktPoint& at = solver.at();
    const double estimated = estimated_dual(problem, at.rho, at.norms);
    if (relative_gap(at.primal.value, estimated) <= std::max(kWorthABound * settings.tol, kMuchBetter * run.gap()))
      run.bound_by(at.rho, at.norms);
    const Expansion model = solver.model();
    run.remember(model, at.primal);
    run.record({HUGE_VAL, steps, at.primal.value, std::ssize(model.kernels)}, snapshot);
    if (run.gap() <= settings.tol) run.offer(model, at.primal);
  };
  run.remember(warm_start);
  note(0);
  run.repeat([&] {
    if (solver.step(kMayRise * std::min(run.gap(), 1.0) * solver.at().primal.value, run.timers)) note(1);
    else run.give_up("Newton's method on the optimality conditions is stuck");
  });
  run.conclude([&] {
    run.bound_by(solver.at().rho, solver.at().norms);
    run.offer(solver.model(), solver.at().primal);
  });
  return run.finish(run.converged() || run.stop_requested() ? snapshot() : solver.start_for_others());
}

}  // namespace spicymkl
