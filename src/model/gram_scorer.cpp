#include <fmt/format.h>

#include <cmath>

#include "coefficients.hpp"
#include "device/cross_products.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

class GramScorer final : public Scorer {
 public:
  GramScorer(const Model& model, std::vector<const double*> kernels, Index n_rows, int threads,
             std::shared_ptr<const void> owner, Matrix covariates, std::shared_ptr<const Device> device)
      : model_(model),
        kernels_(std::move(kernels)),
        n_rows_(n_rows),
        threads_(resolve_threads(threads)),
        owner_(std::move(owner)),
        covariates_(covariates.cols() > 0 ? std::move(covariates) : Matrix(n_rows, 0)),
        every_row_(all_kernels(model.n_samples)),
        coefficients_(model, every_row_),
        device_(std::move(device)) {
    check_covariates();
    for (Index j = 0; j < model.n_samples; ++j)
      if (coefficients_.row_matters(j)) needed_.push_back(j);
    for (const Index m : active_kernels(model.fits)) {
      const Matrix* carried = model.repair.dual_of(m);
      duals_.push_back(carried != nullptr ? Dual{carried, &every_row_} : Dual{&coefficients_.dual(), &needed_});
    }
  }

  Index n_rows() const override { return n_rows_; }

  Scores scores(Index first, Index count) const override {
    Scores scores = coefficients_.start(count);
    for (Index k = 0; k < std::ssize(kernels_); ++k) {
      const Matrix sums = device_
                              ? row_products(device_, kernels_[k] + first * model_.n_samples, count, *duals_[k].values)
                              : row_sums(k, first, count);
      refuse_non_finite(k, first, sums);
      coefficients_.set_shares(k, 0, sums, scores);
    }
    coefficients_.finish(covariates_.middleRows(first, count), scores);
    return scores;
  }

 private:
  void check_covariates() const {
    const Index needed = model_.fits.front().n_covariates;
    if (covariates_.cols() != needed || covariates_.rows() != n_rows_)
      throw InputError(
          fmt::format("the model has {} covariates, but those of the {} new rows are a matrix of {} rows and {} "
                      "columns; give one row per new row and one column per covariate (--covariates FILE.npy)",
                      needed, n_rows_, covariates_.rows(), covariates_.cols()));
    if (!covariates_.allFinite())
      throw InputError("a covariate of the new rows is not a finite number; correct it, or leave the row out");
  }

  /// What the rows of a kernel are multiplied with, and where it is not 0.
  struct Dual {
    const Matrix* values;
    const std::vector<Index>* rows;
  };

  Matrix row_sums(Index k, Index first, Index count) const {
    Matrix sums(count, coefficients_.n_outputs());
    const double cost = static_cast<double>(needed_.size()) * static_cast<double>(sums.cols());
    parallel_for(count, threads_, cost, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        for (Index f = 0; f < sums.cols(); ++f) sums(i, f) = row_sum(k, first + i, f);
    });
    return sums;
  }

  double row_sum(std::size_t k, Index row, Index fit) const {
    const double* values = kernels_[k] + row * model_.n_samples;
    const Matrix& dual = *duals_[k].values;
    double sum = 0;
    for (const Index j : *duals_[k].rows) sum += dual(j, fit) * values[j];
    return sum;
  }

  void refuse_non_finite(std::size_t k, Index first, const Matrix& sums) const {
    if (sums.allFinite()) return;
    Index row = 0;
    while (sums.row(row).allFinite()) ++row;
    const Index m = active_kernels(model_.fits)[k];
    throw InputError(fmt::format("kernel '{}', row {}: a value is not a finite number; correct the matrix",
                                 model_.kernel_names[m], first + row));
  }

  const Model& model_;
  std::vector<const double*> kernels_;
  Index n_rows_;
  int threads_;
  std::shared_ptr<const void> owner_;
  Matrix covariates_;
  std::vector<Index> every_row_;
  Coefficients coefficients_;
  std::vector<Index> needed_;
  std::vector<Dual> duals_;
  std::shared_ptr<const Device> device_;  ///< where the kernels are; null: here
};

}  // namespace

std::unique_ptr<Scorer> make_gram_scorer(const Model& model, std::vector<const double*> kernels, Index n_rows,
                                         int threads, std::shared_ptr<const void> owner, Matrix covariates,
                                         std::shared_ptr<const Device> device) {
  return std::make_unique<GramScorer>(model, std::move(kernels), n_rows, threads, std::move(owner),
                                      std::move(covariates), std::move(device));
}

}  // namespace spicymkl
