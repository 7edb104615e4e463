// Σ w_m K_m as one matrix, kept up to date while the weights change.
#pragma once

#include "spicymkl/bank/bank.hpp"

namespace spicymkl {

class WeightedSum {
 public:
  explicit WeightedSum(const KernelBank& bank);
  /// Reads the kernels whose weight changes, or those with a weight, whichever are fewer.
  void set(const Vector& weights);
  /// this + step·direction: reads no kernel.
  WeightedSum moved(double step, const WeightedSum& direction) const;
  const Vector& weights() const { return weights_; }
  /// Its lower triangle is valid.
  const Matrix& matrix() const { return matrix_; }

 private:
  void add(const Vector& weights);

  const KernelBank* bank_;
  Vector weights_;
  Matrix matrix_;
};

}  // namespace spicymkl
