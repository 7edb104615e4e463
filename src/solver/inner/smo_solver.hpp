// One combined kernel, many samples: the dual of a support vector machine by pairs of dual values.
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <vector>

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// Minimises ½ρᵀKρ + Σℓ*_i(−ρ_i) with K = Σ_k weights_k K_kernels(k), on 1ᵀρ = 0 when there is an intercept: sequential
/// minimal optimisation with the second-order choice of pairs of Fan, Chen and Lin (2005), single values without an
/// intercept. Reads only the columns of samples that move. For losses with Loss::has_svm_dual() and banks with columns.
class SmoSolver {
 public:
  /// `problem` must outlive this. `rho` must be feasible.
  SmoSolver(const Problem& problem, std::vector<Index> kernels, Vector weights, ConstVectorRef rho);

  /// Until the duality gap of this problem is at most `gap`; false when `max_steps` are not enough, or `stop`, asked
  /// now and then, says so.
  bool minimise(double gap, Index max_steps, const std::function<bool()>& stop = {});

  const Vector& rho() const { return rho_; }
  /// ½ρᵀKρ + Σℓ*_i(−ρ_i)
  double value() const;
  /// Samples strictly inside the domain of their dual value.
  std::vector<Index> free_samples() const;
  /// The second derivatives over some samples.
  Matrix hessian(const std::vector<Index>& samples);

 private:
  bool can_rise(Index i) const { return rho_(i) < upper_(i); }
  bool can_fall(Index i) const { return rho_(i) > lower_(i); }
  /// The column of `in_use` stays where it is.
  const Vector& column(Index i, Index in_use = -1);
  void move(Index i, double change);
  double duality_gap() const;
  /// Steps until no pair violates the optimality conditions by more than `accuracy`; how many steps were left.
  Index step_until(double accuracy, Index max_steps, const std::function<bool()>& stop);
  /// One step, unless the violation is small already; the violation before it.
  double step_pair(double accuracy);
  double step_single(double accuracy);

  const Problem& problem_;
  std::vector<Index> kernels_;
  Vector weights_;
  Vector lower_, upper_;  // domain of each dual value
  Vector curvature_;      // of each conjugate
  Vector diagonal_;       // of K
  Vector rho_, gradient_;
  std::vector<Vector> columns_;  // of K, as far as they were needed and have room
  std::deque<Index> kept_;       // in the order they were computed
  Index most_kept_ = std::numeric_limits<Index>::max();
};

}  // namespace spicymkl
