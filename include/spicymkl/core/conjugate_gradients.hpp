// Preconditioned conjugate gradients.
#pragma once

#include <cmath>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// b ← an approximate solution x of Ax = b, with xᵀb > 0, where `multiply(v, out)` is out = Av and `precondition(v)` is
/// v ← P⁻¹v for a positive definite P close to A. False, with b as it was, when the residual in the norm of P⁻¹ is not
/// below `tolerance` times that of b after `max_steps`.
template <class Multiply, class Precondition>
[[nodiscard]] bool conjugate_gradients(const Multiply& multiply, const Precondition& precondition, double tolerance,
                                       int max_steps, VectorRef b) {
  Vector x = Vector::Zero(b.size()), residual = b, image(b.size());
  Vector scaled = residual;
  precondition(scaled);
  Vector direction = scaled;
  double square = residual.dot(scaled);
  const double goal = tolerance * tolerance * square;
  for (int step = 0; step < max_steps && square > goal; ++step) {
    multiply(direction, image);
    const double curvature = direction.dot(image);
    if (!(curvature > 0)) return false;
    const double length = square / curvature;
    x += length * direction;
    residual -= length * image;
    scaled = residual;
    precondition(scaled);
    const double next = residual.dot(scaled);
    if (!std::isfinite(next)) return false;
    direction = scaled + (next / square) * direction;
    square = next;
  }
  if (square > goal) return false;
  b = x;
  return true;
}

}  // namespace spicymkl
