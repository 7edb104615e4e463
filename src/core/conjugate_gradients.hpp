// Preconditioned conjugate gradients.
#pragma once

#include <cmath>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// x ← an approximate solution of Ax = b from 0 on, where `multiply(v, out)` is out = Av and `precondition(v)` is
/// v ← P⁻¹v for a positive definite P close to A; xᵀb > 0 after the first step. False when the residual in the norm of
/// P⁻¹ is not below `tolerance` times that of b after `max_steps`, or A is not positive definite.
template <class Multiply, class Precondition>
bool iterate_conjugate_gradients(const Multiply& multiply, const Precondition& precondition, double tolerance,
                                 int max_steps, ConstVectorRef b, Vector& x) {
  x.setZero(b.size());
  Vector residual = b, image(b.size());
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
  return !(square > goal);
}

/// b ← an approximate solution x of Ax = b, with xᵀb > 0. False, with b as it was, when there is none within
/// `max_steps`.
template <class Multiply, class Precondition>
[[nodiscard]] bool conjugate_gradients(const Multiply& multiply, const Precondition& precondition, double tolerance,
                                       int max_steps, VectorRef b) {
  Vector x;
  if (!iterate_conjugate_gradients(multiply, precondition, tolerance, max_steps, b, x)) return false;
  b = x;
  return true;
}

/// The same with what `max_steps` have reached, which is a direction of descent; b itself if nothing.
template <class Multiply, class Precondition>
void descend_by_conjugate_gradients(const Multiply& multiply, const Precondition& precondition, double tolerance,
                                    int max_steps, VectorRef b) {
  Vector x;
  iterate_conjugate_gradients(multiply, precondition, tolerance, max_steps, b, x);
  if (x.allFinite() && x.dot(b) > 0) b = x;
}

}  // namespace spicymkl
