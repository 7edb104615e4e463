// Draws that the spectra of kernels are made of.
#pragma once

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "core/random_draws.hpp"

namespace spicymkl {

/// n × count numbers whose columns are normal vectors with mean 0 and variance 1, those of each block of n at right
/// angles to each other (Yu and others 2016): the kernel that they stand for is met more closely.
inline Matrix orthogonal_normals(Index n, Index count, RandomDraws& draws) {
  const auto normals = [&](Index rows, Index columns) -> Matrix {
    return Matrix::NullaryExpr(rows, columns, [&] { return draws.normal(); });
  };
  Matrix all(n, count);
  for (Index first = 0; first < count; first += n) {
    const Index size = std::min(n, count - first);
    const Eigen::HouseholderQR<Matrix> qr(normals(n, size));
    const Matrix lengths = normals(n, size).colwise().norm();
    all.middleCols(first, size) = (qr.householderQ() * Matrix::Identity(n, size)) * lengths.row(0).asDiagonal();
  }
  return all;
}

inline double cauchy(RandomDraws& draws) { return std::tan(std::numbers::pi * (draws.uniform() - 0.5)); }

/// χ² with so many degrees of freedom, a whole number.
inline double chi_squared(double freedom, RandomDraws& draws) {
  double sum = 0;
  for (int k = 0; k < std::lround(freedom); ++k) sum += draws.chi_squared();
  return sum;
}

}  // namespace spicymkl
