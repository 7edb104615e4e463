#include "rounding.hpp"

#include <cmath>

namespace spicymkl {

namespace {

constexpr double kLanes = 64;  // partial sums that a long product is split into

}  // namespace

ProductRounding::ProductRounding(const KernelBank& bank, const std::vector<Index>& kernels, const Vector& rho)
    : bank_(bank),
      kernels_(kernels),
      unit_(kSafety * kEpsilon * std::sqrt(1 + static_cast<double>(rho.size()) / kLanes)),
      masses_(std::ssize(kernels)) {
  const Vector one = Vector::Ones(1), squares = rho.cwiseAbs2();
  Vector diagonal(rho.size());
  for (Index k = 0; k < masses_.size(); ++k) {
    bank.weighted_diagonal(KernelSet(&kernels[k], 1), one, diagonal);
    masses_(k) = diagonal.dot(squares);
  }
}

Vector ProductRounding::of_sum(const Vector& scale) const {
  Vector diagonal(bank_.n_samples());
  bank_.weighted_diagonal(kernels_, scale.cwiseAbs2().cwiseProduct(masses_), diagonal);
  return unit_ * diagonal.cwiseSqrt();
}

}  // namespace spicymkl
