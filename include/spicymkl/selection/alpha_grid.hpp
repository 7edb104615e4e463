// Which strengths of the penalty a path or a cross-validation goes through.
#pragma once

#include <string>
#include <vector>

namespace spicymkl {

/// Decreasing strengths, all relative or all absolute. A relative one is a multiple of alpha_max, so that it means the
/// same on samples of another size: the objective sums over samples, and alpha_max grows with them.
struct AlphaGrid {
  std::vector<double> values;
  bool relative = true;

  /// The strengths for a problem with this alpha_max.
  std::vector<double> alphas(double alpha_max) const;
  /// "0.1max" or "0.1", exactly as the number reads back.
  std::string text(std::size_t point) const;
};

/// From alpha_max down to ratio·alpha_max, evenly spaced in the logarithm. count ≥ 1, 0 < ratio < 1, else an
/// InputError.
AlphaGrid log_spaced_alphas(int count, double ratio);

/// Numbers ("0.5") or multiples of alpha_max ("0.1max"), in any order; a mixture of both is an InputError.
AlphaGrid parse_alphas(const std::vector<std::string>& texts);

/// Strengths as they are, in any order.
AlphaGrid absolute_alphas(std::vector<double> alphas);

}  // namespace spicymkl
