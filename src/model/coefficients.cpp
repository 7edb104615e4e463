#include "coefficients.hpp"

#include <algorithm>

namespace spicymkl {

Coefficients::Coefficients(const Model& model, const std::vector<Index>& rows)
    : fits_(model.fits), dual_(std::ssize(rows), std::ssize(model.fits)) {
  for (Index f = 0; f < dual_.cols(); ++f)
    for (Index j = 0; j < std::ssize(rows); ++j) dual_(j, f) = fits_[f].expansion.dual(rows[j]);
  for (Index j = 0; j < dual_.rows(); ++j) matters_.push_back((dual_.row(j).array() != 0).any());
  for (const Index m : active_kernels(fits_)) {
    auto& places = place_.emplace_back();
    for (const Fit& fit : fits_) {
      const auto& kernels = fit.expansion.kernels;
      const auto found = std::find(kernels.begin(), kernels.end(), m);
      places.push_back(found == kernels.end() ? -1 : found - kernels.begin());
    }
  }
}

Scores Coefficients::start(Index count) const {
  Scores scores{Matrix(count, n_fits()), {}};
  for (const Fit& fit : fits_) scores.shares.push_back(Matrix::Zero(count, fit.expansion.scale.size()));
  return scores;
}

void Coefficients::set_shares(Index k, Index first, ConstMatrixRef sums, Scores& scores) const {
  for (Index f = 0; f < std::ssize(fits_); ++f) {
    const Index place = place_[k][f];
    if (place < 0) continue;
    scores.shares[f].col(place).segment(first, sums.rows()) = fits_[f].expansion.scale(place) * sums.col(f);
  }
}

void Coefficients::finish(Scores& scores) const {
  for (Index f = 0; f < std::ssize(fits_); ++f) {
    auto total = scores.values.col(f);
    total.setConstant(fits_[f].expansion.intercept);
    // Column by column, so that every row is summed in the same order whatever the batch.
    for (Index k = 0; k < scores.shares[f].cols(); ++k) total += scores.shares[f].col(k);
  }
}

}  // namespace spicymkl
