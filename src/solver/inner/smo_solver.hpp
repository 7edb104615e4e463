// One combined kernel, many samples: the dual of a support vector machine by pairs of dual values.
#pragma once

#include <deque>
#include <limits>

#include "svm_dual.hpp"

namespace spicymkl {

/// Sequential minimal optimisation with the second-order choice of pairs of Fan, Chen and Lin (2005), single values
/// without an intercept. Reads only the columns of samples that move. For banks with columns.
class SmoSolver final : public SvmDual {
 public:
  SmoSolver(const Problem& problem, std::vector<Index> kernels, Vector weights, ConstVectorRef rho);

  /// Until the duality gap of this problem is at most `gap`; false when `max_steps` are not enough, or `stop`, asked
  /// now and then, says so.
  bool minimise(double gap, Index max_steps, const std::function<bool()>& stop = {});

  /// With as many steps as the samples may need.
  bool minimise(double gap, const std::function<bool()>& stop) override;
  [[nodiscard]] bool value_hessian(ConstMatrixRef images, Matrix& H) override;
  /// The second derivatives over some samples.
  Matrix hessian(const std::vector<Index>& samples);

 private:
  /// The column of `in_use` stays where it is.
  const Vector& column(Index i, Index in_use = -1);
  void move(Index i, double change);
  /// Steps until no pair violates the optimality conditions by more than `accuracy`; how many steps were left.
  Index step_until(double accuracy, Index max_steps, const std::function<bool()>& stop);
  /// One step, unless the violation is small already; the violation before it.
  double step_pair(double accuracy);
  double step_single(double accuracy);

  std::vector<Index> kernels_;
  Vector weights_;
  Vector diagonal_;              // of K
  std::vector<Vector> columns_;  // of K, as far as they were needed and have room
  std::deque<Index> kept_;       // in the order they were computed
  Index most_kept_ = std::numeric_limits<Index>::max();
};

}  // namespace spicymkl
