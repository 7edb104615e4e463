// The fits of a model side by side, over the training rows that matter.
#pragma once

#include "spicymkl/model/outputs.hpp"
#include "spicymkl/model/scores.hpp"

namespace spicymkl {

/// What scoring needs of the fits: Σ_i dual_i k_m(x_i, x), summed by the caller, becomes shares and scores here.
class Coefficients {
 public:
  /// `rows` are the training rows that the caller's kernel values stand for.
  Coefficients(const Model& model, const std::vector<Index>& rows);

  Index n_outputs() const { return dual_.cols(); }
  /// rows × outputs
  const Matrix& dual() const { return dual_; }
  bool row_matters(Index row) const { return matters_[row]; }

  /// Scores of `count` rows with every share 0.
  Scores start(Index count) const;
  /// Kernel `k`, counted among those active in some fit, of rows first, first + 1, …: sums(i, c) is Σ_j dual_jc k(x_j,
  /// x_i) for output c.
  void set_shares(Index k, Index first, ConstMatrixRef sums, Scores& scores) const;
  /// Adds up shares, intercept and covariates, of which there are as many columns as the fits have coefficients.
  void finish(ConstMatrixRef covariates, Scores& scores) const;

 private:
  const Fit& fit_of(Index column) const { return fits_[outputs_[column].fit]; }

  const std::vector<Fit>& fits_;
  std::vector<Output> outputs_;
  Matrix dual_;
  std::vector<bool> matters_;
  std::vector<std::vector<Index>>
      place_;  ///< [k][output]: its position in the fit's expansion, −1 if it is not active there
};

}  // namespace spicymkl
