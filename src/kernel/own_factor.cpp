#include "own_factor.hpp"

#include <set>

namespace spicymkl {

namespace {

constexpr Index kMostPowers = 128;  // monomials; beyond, reading them takes too long

/// Far from 0, powers of one column differ by less than their means by far: what centring leaves of them is rounding,
/// and would be taken for the kernel.
bool loses_digits(const FittedKernel& kernel) {
  constexpr std::size_t kLinear = 2;  // coefficients, from the power 0 on
  return kernel.normalization().kind == Normalize::center && kernel.function().powers().size() > kLinear;
}

}  // namespace

Index own_factor_width(const FittedKernel& kernel, const Samples& training) {
  const KernelSpec& spec = kernel.spec();
  if (spec.jitter > 0 || loses_digits(kernel)) return 0;
  const Index width = n_exact_features(spec);
  if (kernel.base() != Base::matches) return width == std::ssize(spec.columns) || width <= kMostPowers ? width : 0;
  Index n_categories = 0;
  for (const Index column : spec.columns) {
    const auto values = training.values.col(column);
    n_categories += std::ssize(std::set<double>(values.begin(), values.end()));
  }
  return n_categories;
}

Matrix own_factor(const FittedKernel& kernel, const Samples& training) {
  return kernel.exact_features(training)->features(training, 0, training.n_rows());
}

}  // namespace spicymkl
