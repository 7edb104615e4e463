#include "rounding.hpp"

#include <cmath>

namespace spicymkl {

namespace {

constexpr double kLanes = 64;  // partial sums that a long product is split into

Vector weighted_diagonals(const KernelBank& bank, const std::vector<Index>& kernels, const Vector& weights) {
  Vector diagonal(bank.n_samples());
  bank.weighted_diagonal(kernels, weights, diagonal);
  return diagonal;
}

}  // namespace

ProductRounding::ProductRounding(const KernelBank& bank, const std::vector<Index>& kernels, const Vector& rho)
    : bank_(bank),
      kernels_(kernels),
      unit_(kSafety * kEpsilon * std::sqrt(1 + static_cast<double>(rho.size()) / kLanes)),
      masses_(std::ssize(kernels)) {
  const Vector one = Vector::Ones(1), squares = rho.cwiseAbs2();
  for (Index k = 0; k < masses_.size(); ++k) masses_(k) = weighted_diagonals(bank, {kernels[k]}, one).dot(squares);
}

Vector ProductRounding::of_sum(const Vector& scale) const {
  return unit_ * weighted_diagonals(bank_, kernels_, scale.cwiseAbs2().cwiseProduct(masses_)).cwiseSqrt();
}

}  // namespace spicymkl
