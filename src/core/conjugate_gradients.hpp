// Preconditioned conjugate gradients.
#pragma once

#include <cmath>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// X ← an approximate solution of AX = B from 0 on, column by column but with one product for all, where
/// `multiply(V, out)` is out = AV and `precondition(V)` is V ← P⁻¹V for a positive definite P close to A; xᵀb > 0 after
/// the first step. Block is Vector or Matrix. False when a residual in the norm of P⁻¹ is not below `tolerance` times
/// that of its b after `max_steps`, or A is not positive definite. `steps`: how many were taken.
template <class Block, class Multiply, class Precondition>
bool iterate_conjugate_gradients(const Multiply& multiply, const Precondition& precondition, double tolerance,
                                 int max_steps, const Block& B, Block& X, int* steps = nullptr) {
  using Numbers = Eigen::ArrayXd;
  const Index n_columns = B.cols();
  X.setZero(B.rows(), n_columns);
  Block residual = B, image(B.rows(), n_columns);
  Block scaled = residual;
  precondition(scaled);
  Block direction = scaled;
  Numbers square(n_columns);
  for (Index k = 0; k < n_columns; ++k) square(k) = residual.col(k).dot(scaled.col(k));
  if (!square.isFinite().all()) return false;
  const Numbers goal = tolerance * tolerance * square;
  int step = 0;
  for (; step < max_steps && (square > goal).any(); ++step) {
    multiply(direction, image);
    for (Index k = 0; k < n_columns; ++k) {
      if (!(square(k) > goal(k))) continue;
      const double curvature = direction.col(k).dot(image.col(k));
      if (!(curvature > 0)) return false;
      const double length = square(k) / curvature;
      X.col(k) += length * direction.col(k);
      residual.col(k) -= length * image.col(k);
    }
    scaled = residual;
    precondition(scaled);
    for (Index k = 0; k < n_columns; ++k) {
      if (!(square(k) > goal(k))) continue;
      const double next = residual.col(k).dot(scaled.col(k));
      if (!std::isfinite(next)) return false;
      direction.col(k) = scaled.col(k) + (next / square(k)) * direction.col(k);
      square(k) = next;
    }
  }
  if (steps != nullptr) *steps = step;
  return !(square > goal).any();
}

/// b ← what `max_steps` have reached of the solution x of Ax = b, which is a direction of descent; b itself if nothing.
template <class Multiply, class Precondition>
void descend_by_conjugate_gradients(const Multiply& multiply, const Precondition& precondition, double tolerance,
                                    int max_steps, VectorRef b) {
  Vector x;
  iterate_conjugate_gradients<Vector>(multiply, precondition, tolerance, max_steps, b, x);
  if (x.allFinite() && x.dot(b) > 0) b = x;
}

}  // namespace spicymkl
