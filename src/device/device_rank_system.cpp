#include "device_rank_system.hpp"

#include <cmath>

#include "bank/factored_system.hpp"
#include "packed.hpp"

namespace spicymkl {

namespace {

constexpr double kFewLostDigits = 1e4;   // of UUᵀ to D: below, no refinement is needed
constexpr Index kHalfOf = 2;             // a system of more than half the samples is not quicker than one over these
constexpr double kRoomForSystem = 0.25;  // of what is free, for a matrix over the samples

/// The root of its kernel's weight for every feature.
Vector roots_of(const NewtonTerms& terms, const DeviceFactors& factors) {
  Vector roots(factors.width());
  Index place = 0;
  for (Index k = 0; k < std::ssize(terms.kernels); ++k) {
    roots.segment(place, factors.width(k)).setConstant(std::sqrt(terms.weights(k)));
    place += factors.width(k);
  }
  return roots;
}

}  // namespace

bool DeviceRankSystem::factor(const NewtonTerms& terms) {
  bank_.watch().check();
  const DeviceFactors factors = bank_.side_by_side(terms.kernels);
  const Vector roots = roots_of(terms, factors);
  const Index size = factors.width() + terms.low_rank.cols();
  const bool few = size > 0 && kHalfOf * size <= bank_.n_samples() && terms.n_added == terms.low_rank.cols();
  way_ = Way::ranks;
  if (few && factor_ranks(terms, factors, roots)) return true;
  way_ = Way::samples;
  if (opens_samples()) return factor_samples(terms, factors, roots);
  way_ = Way::other;
  return other_->factor(terms);
}

bool DeviceRankSystem::factor_ranks(const NewtonTerms& terms, const DeviceFactors& factors, const Vector& roots) {
  const PackedIn diagonal{ConstMatrixRef(terms.diagonal)}, columns(terms.low_rank);
  const spicymkl_device_factors of = factors.get();
  double largest = 0;
  const int status = ranks_.functions().factor_ranks(ranks_.get(), &of, roots.data(), diagonal.data(), columns.data(),
                                                     terms.low_rank.cols(), kLargestRatio, &largest);
  refine_ = largest > kFewLostDigits;
  return ranks_.device().is_definite(status);
}

bool DeviceRankSystem::opens_samples() {
  if (samples_) return true;
  const auto n = static_cast<double>(bank_.n_samples());
  if (sizeof(double) * n * n > kRoomForSystem * bank_.device()->free_bytes()) return false;
  samples_ = std::make_unique<DeviceSystemHandle>(bank_.device(), bank_.n_samples());
  return true;
}

bool DeviceRankSystem::factor_samples(const NewtonTerms& terms, const DeviceFactors& factors, const Vector& roots) {
  const spicymkl_device_factors of = factors.get();
  samples_->set_diagonal(terms);
  samples_->device().check(samples_->functions().add_factors(samples_->get(), &of, roots.data()));
  samples_->add_low_rank(terms);
  return samples_->factor();
}

void DeviceRankSystem::solve(MatrixRef rhs) {
  if (way_ == Way::other) return other_->solve(rhs);
  if (way_ == Way::samples) return samples_->solve(rhs);
  solve_by_ranks(rhs, refine_ ? SPICYMKL_SOLVE_REFINED : SPICYMKL_SOLVE_ONCE);
}

void DeviceRankSystem::solve_roughly(MatrixRef rhs) {
  if (way_ != Way::ranks) return solve(rhs);
  solve_by_ranks(rhs, SPICYMKL_SOLVE_ROUGHLY);
}

void DeviceRankSystem::solve_by_ranks(MatrixRef rhs, int how) {
  PackedOut solution(rhs);
  if (solution.data() != rhs.data()) Eigen::Map<Matrix>(solution.data(), rhs.rows(), rhs.cols()) = rhs;
  ranks_.device().check(ranks_.functions().solve_ranks(ranks_.get(), solution.data(), rhs.cols(), how));
  solution.finish();
  bank_.watch().check();
}

}  // namespace spicymkl
