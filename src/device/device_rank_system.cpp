#include "device_rank_system.hpp"

#include <cmath>

#include "bank/factored_system.hpp"
#include "packed.hpp"

namespace spicymkl {

namespace {

constexpr double kFewLostDigits = 1e4;  // of UUᵀ to D: below, no refinement is needed
constexpr Index kHalfOf = 2;            // a system of more than half the samples is not quicker than one over these

}  // namespace

bool DeviceRankSystem::factor(const NewtonTerms& terms) {
  bank_.watch().check();
  const DeviceFactors factors = bank_.side_by_side(terms.kernels);
  const Index size = factors.width() + terms.low_rank.cols();
  of_ranks_ = size > 0 && kHalfOf * size <= bank_.n_samples() && terms.n_added == terms.low_rank.cols() &&
              assemble(terms, factors);
  return of_ranks_ || other_->factor(terms);
}

bool DeviceRankSystem::assemble(const NewtonTerms& terms, const DeviceFactors& factors) {
  Vector roots(factors.width());
  Index place = 0;
  for (Index k = 0; k < std::ssize(terms.kernels); ++k) {
    roots.segment(place, factors.width(k)).setConstant(std::sqrt(terms.weights(k)));
    place += factors.width(k);
  }
  const PackedIn diagonal{ConstMatrixRef(terms.diagonal)}, columns(terms.low_rank);
  const spicymkl_device_factors of = factors.get();
  double largest = 0;
  const int status = system_.functions().factor_ranks(system_.get(), &of, roots.data(), diagonal.data(), columns.data(),
                                                      terms.low_rank.cols(), kLargestRatio, &largest);
  refine_ = largest > kFewLostDigits;
  return system_.device().is_definite(status);
}

void DeviceRankSystem::solve(MatrixRef rhs) {
  if (!of_ranks_) return other_->solve(rhs);
  PackedOut solution(rhs);
  if (solution.data() != rhs.data()) Eigen::Map<Matrix>(solution.data(), rhs.rows(), rhs.cols()) = rhs;
  system_.device().check(system_.functions().solve_ranks(system_.get(), solution.data(), rhs.cols(), refine_ ? 1 : 0));
  solution.finish();
  bank_.watch().check();
}

}  // namespace spicymkl
