// The SVM inside the wrapper methods: LIBSVM on one Gram matrix.
#pragma once

#include <vector>

#include "spicymkl/core/types.hpp"

struct svm_node;

namespace spicymkl {

/// Solves SVMs that differ in their kernel alone. LIBSVM offers no way to start from an earlier solution, so each one
/// is solved anew; the memory is kept.
class Svm {
 public:
  /// `tolerance` is LIBSVM's: how far a sample may be from its optimality condition, in units of the margin.
  Svm(const Vector& labels, double tolerance);
  ~Svm();
  Svm(const Svm&) = delete;
  Svm& operator=(const Svm&) = delete;

  double tolerance() const { return tolerance_; }
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }

  /// The ρ that maximises Σ y_iρ_i − (box/2)ρᵀKρ over 0 ≤ y_iρ_i ≤ 1, Σρ_i = 0. Reads the lower triangle of K.
  Vector solve(const Matrix& kernel, double box);

 private:
  void copy(const Matrix& kernel, double box);

  Vector labels_;
  double tolerance_;
  std::vector<svm_node> nodes_;  // row i: its number, then the kernel with every sample
  std::vector<svm_node*> rows_;
};

}  // namespace spicymkl
