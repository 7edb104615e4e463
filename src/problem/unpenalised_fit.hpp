// The best b of loss_value(f + C·b), where C has few columns.
#pragma once

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// Neighbouring numbers around the b that minimises the loss of one output, f + b, its entries being those from `first`
/// on.
Interval intercept_bracket(const Problem& problem, Index output, ConstVectorRef f);

/// For an intercept alone.
Matrix best_intercepts(const Problem& problem, ConstVectorRef f);

struct UnpenalisedFit {
  Matrix coefficients;  ///< b
  /// Dual values that go with b. Where the loss has kinks, those of the smooth loss beside it: they lie inside the
  /// domain where the kinks' own would be at its ends.
  Vector dual;
};

/// For whatever columns and losses, by Newton's method. Where the loss has kinks, smooth ones beside it lead there.
UnpenalisedFit best_coefficients(const Problem& problem, ConstVectorRef f);

}  // namespace spicymkl
