#include "coefficients.hpp"

#include <algorithm>

namespace spicymkl {

Coefficients::Coefficients(const Model& model, const std::vector<Index>& rows)
    : fits_(model.fits), outputs_(outputs_of(fits_)), dual_(duals_of(fits_)(rows, Eigen::all)) {
  for (Index j = 0; j < dual_.rows(); ++j) matters_.push_back((dual_.row(j).array() != 0).any());
  for (const Index m : active_kernels(fits_)) {
    auto& places = place_.emplace_back();
    for (Index c = 0; c < n_outputs(); ++c) {
      const auto& kernels = fit_of(c).expansion.kernels;
      const auto found = std::find(kernels.begin(), kernels.end(), m);
      places.push_back(found == kernels.end() ? -1 : found - kernels.begin());
    }
  }
}

Scores Coefficients::start(Index count) const {
  Scores scores{Matrix(count, n_outputs()), {}};
  for (Index c = 0; c < n_outputs(); ++c)
    scores.shares.push_back(Matrix::Zero(count, fit_of(c).expansion.scale.size()));
  return scores;
}

void Coefficients::set_shares(Index k, Index first, ConstMatrixRef sums, Scores& scores) const {
  for (Index c = 0; c < n_outputs(); ++c) {
    const Index place = place_[k][c];
    if (place < 0) continue;
    scores.shares[c].col(place).segment(first, sums.rows()) = fit_of(c).expansion.scale(place) * sums.col(c);
  }
}

void Coefficients::finish(ConstMatrixRef covariates, Scores& scores) const {
  if (covariates.cols() > 0) scores.covariates = Matrix::Zero(scores.values.rows(), n_outputs());
  for (Index c = 0; c < n_outputs(); ++c) {
    auto total = scores.values.col(c);
    total.setConstant(fit_of(c).intercept(outputs_[c].output));
    if (covariates.cols() > 0) {
      const Matrix coef = fit_of(c).covariate_coef();
      for (Index j = 0; j < coef.rows(); ++j)
        scores.covariates.col(c) += coef(j, outputs_[c].output) * covariates.col(j);
      total += scores.covariates.col(c);
    }
    // Column by column, so that every row is summed in the same order whatever the batch.
    for (Index k = 0; k < scores.shares[c].cols(); ++k) total += scores.shares[c].col(k);
  }
}

}  // namespace spicymkl
