// J(d): what every wrapper method minimises over the simplex of kernel weights.
#pragma once

#include "spicymkl/problem/problem.hpp"
#include "svm.hpp"
#include "weighted_sum.hpp"

namespace spicymkl {

/// Weights and the SVM's answer to them.
struct WeightPoint {
  Vector weights;  ///< d ≥ 0, Σd_m = 1
  Vector dual;     ///< ρ, the SVM's dual vector divided by its box bound
  Vector scores;   ///< Σ_m f_m of every sample, without intercept
  double value;    ///< J(d)
};

/// J(d) = max over ρ of Σ y_iρ_i − (c/2)Σ_m d_m‖ρ‖²_Km: the squared formulation of Eq. (5) for given weights, with c =
/// 1/C̃.
class WeightObjective {
 public:
  WeightObjective(const Problem& problem, double box, double svm_tolerance);

  WeightPoint at(const Vector& weights);
  /// The kernel sums of a line, so that points on it read no kernel.
  void set_line(const Vector& start, const Vector& direction);
  WeightPoint on_line(double step);
  /// dJ/dstep at a point of the line.
  double slope_on_line(const WeightPoint& point) const;

  /// ‖ρ‖²_Km of every kernel: ∂J/∂d_m = −(c/2)‖ρ‖²_Km.
  Vector squared_norms(const WeightPoint& point) const;
  Vector gradient(const Vector& squared_norms) const { return -0.5 * box_ * squared_norms; }

  const Problem& problem() const { return problem_; }
  double box() const { return box_; }
  /// Σd_mK_m; its lower triangle is valid.
  const Matrix& combined(const Vector& weights);
  /// SVMs are solved ten times as accurately from now on; false when they are as accurate as they can be. Points of
  /// before and after do not compare.
  bool refine();
  /// SVMs solved since the last call.
  int take_count();

 private:
  WeightPoint solve(const WeightedSum& sum);

  const Problem& problem_;
  double box_;
  Svm svm_;
  WeightedSum sum_;
  WeightedSum direction_;
  int count_ = 0;
};

}  // namespace spicymkl
