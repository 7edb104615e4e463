#include "coefficients.hpp"

#include <algorithm>

namespace spicymkl {

Coefficients::Coefficients(const Model& model, const std::vector<Index>& rows)
    : fits_(model.fits), dual_(static_cast<Index>(rows.size()), static_cast<Index>(model.fits.size())) {
  for (Index f = 0; f < dual_.cols(); ++f)
    for (std::size_t j = 0; j < rows.size(); ++j)
      dual_(static_cast<Index>(j), f) = fits_[static_cast<std::size_t>(f)].expansion.dual(rows[j]);
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
  for (std::size_t f = 0; f < fits_.size(); ++f) {
    const Index place = place_[static_cast<std::size_t>(k)][f];
    if (place < 0) continue;
    scores.shares[f].col(place).segment(first, sums.rows()) =
        fits_[f].expansion.scale(place) * sums.col(static_cast<Index>(f));
  }
}

void Coefficients::finish(Scores& scores) const {
  for (std::size_t f = 0; f < fits_.size(); ++f) {
    auto total = scores.values.col(static_cast<Index>(f));
    total.setConstant(fits_[f].expansion.intercept);
    // Column by column, so that every row is summed in the same order whatever the batch.
    for (Index k = 0; k < scores.shares[f].cols(); ++k) total += scores.shares[f].col(k);
  }
}

}  // namespace spicymkl
