#include "own_factor.hpp"

#include <cmath>
#include <set>

namespace spicymkl {

namespace {

bool has_features(const FittedKernel& kernel) {
  const bool features =
      kernel.base() == Base::inner_product || kernel.base() == Base::cosine || kernel.base() == Base::matches;
  return features && kernel.function().is_base() && kernel.spec().jitter == 0;
}

std::set<double> categories_in(const Samples& training, Index column) {
  return {training.values.col(column).begin(), training.values.col(column).end()};
}

/// 1 for the category of a row, 0 for all others, column by column.
Matrix category_features(const Samples& training, const std::vector<Index>& columns, Index width) {
  Matrix features(training.n_rows(), width);
  const double one = 1 / std::sqrt(static_cast<double>(columns.size()));
  Index next = 0;
  for (const Index column : columns)
    for (const double category : categories_in(training, column))
      features.col(next++) = (training.values.col(column).array() == category).cast<double>() * one;
  return features;
}

Matrix raw_features(const FittedKernel& kernel, const Samples& training) {
  const std::vector<Index>& columns = kernel.spec().columns;
  if (kernel.base() == Base::matches) return category_features(training, columns, own_factor_width(kernel, training));
  Matrix features(training.n_rows(), std::ssize(columns));
  for (Index j = 0; j < features.cols(); ++j) features.col(j) = training.values.col(columns[j]);
  if (kernel.base() == Base::cosine) features.array().colwise() *= kernel.points(training).inverse_norms().array();
  return features;
}

/// `present` is empty where all rows are.
Eigen::RowVectorXd mean_of_present(const Matrix& features, const Vector& present) {
  if (present.size() == 0) return features.colwise().mean();
  return present.transpose() * features / present.sum();
}

}  // namespace

Index own_factor_width(const FittedKernel& kernel, const Samples& training) {
  if (!has_features(kernel)) return 0;
  if (kernel.base() != Base::matches) return std::ssize(kernel.spec().columns);
  Index width = 0;
  for (const Index column : kernel.spec().columns) width += std::ssize(categories_in(training, column));
  return width;
}

Matrix own_factor(const FittedKernel& kernel, const Samples& training) {
  Matrix features = raw_features(kernel, training);
  const Vector present = training.views.presence(kernel.spec().columns);
  const Normalization& normalization = kernel.normalization();
  switch (normalization.kind) {
    case Normalize::none:
      break;
    case Normalize::trace:
      features *= 1 / std::sqrt(normalization.trace);
      break;
    case Normalize::diagonal:
      features.array().colwise() *= kernel.training_terms(training).values.array();
      break;
    case Normalize::center:
      features.rowwise() -= mean_of_present(features, present);
      break;
  }
  if (present.size() > 0) features.array().colwise() *= present.array();
  return features;
}

}  // namespace spicymkl
