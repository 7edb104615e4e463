// What the kernels say of the training samples, and which of them say the same.
#pragma once

#include <vector>

#include "spicymkl/model/scores.hpp"

namespace spicymkl {

/// f_m of the active kernels on training rows.
struct TrainingContributions {
  std::vector<Index> rows;  ///< of the training table
  Scores scores;            ///< one row for each of them
};

/// On at most `most_rows` of the rows that the model keeps, evenly spaced; none for precomputed kernels, whose values
/// the model does not keep. threads = 0: all cores.
TrainingContributions training_contributions(const Model& model, Index most_rows = 500, int threads = 0);

/// The heaviest active kernels of a fit, heaviest first, and how their contributions go together.
struct ContributionCorrelation {
  std::vector<Index> kernels;  ///< among all M
  Matrix values;               ///< kernels × kernels; 0 with a contribution that is the same for all rows
};

/// `shares` are those of the fit in `Scores`.
ContributionCorrelation contribution_correlation(const Fit& fit, const Matrix& shares, std::size_t most_kernels = 10);

/// Two kernels whose contributions are nearly the same up to a factor: what weight one of them has, the other could
/// have.
struct AlikeKernels {
  Index first = 0, second = 0;  ///< among all M; the first is the heavier one
  double correlation = 0;
};

/// Those pairs whose correlation is at least `least` in size, the largest first.
std::vector<AlikeKernels> alike_kernels(const ContributionCorrelation& correlation, double least = 0.9);

}  // namespace spicymkl
