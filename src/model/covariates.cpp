#include "spicymkl/model/covariates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr double kDependent = 1e-8;  // of a column: what is left of it beside the others, if that is rounding

/// The largest category that has a coefficient or is the reference.
Index last_category(const std::vector<CovariateTerm>& terms, Index column) {
  Index last = 0;
  for (const CovariateTerm& term : terms)
    if (term.column == column) last = std::max(last, term.category);
  return last;
}

void check_known(const Samples& rows, const std::vector<CovariateTerm>& terms, Index column) {
  const Index last = last_category(terms, column);
  for (Index i = 0; i < rows.n_rows(); ++i)
    if (rows.values(i, column) > static_cast<double>(last))
      throw InputError(
          fmt::format("column '{}', {}: the covariate has a category that the training rows did not have, so that it "
                      "has no coefficient; correct it, or leave the row out",
                      rows.columns[column], rows.place(i)));
}

void check_present(const Samples& rows, Index column) {
  if (rows.views.present.size() == 0) return;
  for (Index i = 0; i < rows.n_rows(); ++i)
    if (!rows.views.has(i, column))
      throw InputError(
          fmt::format("column '{}', {}: its table lacks this sample, but a covariate has a value in every row; add it, "
                      "or leave the sample out (--missing-view drop)",
                      rows.columns[column], rows.place(i)));
}

}  // namespace

Covariates Covariates::rows(std::span<const Index> selected) const {
  if (names.empty()) return {};
  return {names, values(std::vector<Index>(selected.begin(), selected.end()), Eigen::all)};
}

std::vector<CovariateTerm> covariate_terms(const std::vector<std::string>& names,
                                           const std::vector<std::vector<std::string>>& categories,
                                           std::span<const Index> columns) {
  std::vector<CovariateTerm> terms;
  for (const Index column : columns) {
    if (categories[column].empty()) {
      terms.push_back({names[column], column});
      continue;
    }
    if (categories[column].size() == 1)
      throw InputError(fmt::format(
          "covariate '{}' is '{}' in every row, as the intercept is: nothing can be adjusted for; leave it out",
          names[column], categories[column].front()));
    for (Index category = 1; category < std::ssize(categories[column]); ++category)
      terms.push_back({fmt::format("{}={}", names[column], categories[column][category]), column, category});
  }
  return terms;
}

Matrix covariate_values(const Samples& rows, const std::vector<CovariateTerm>& terms) {
  Matrix values(rows.n_rows(), std::ssize(terms));
  for (Index k = 0; k < values.cols(); ++k) {
    const CovariateTerm& term = terms[k];
    const auto column = rows.values.col(term.column);
    check_present(rows, term.column);
    if (term.category == 1) check_known(rows, terms, term.column);
    if (term.category < 0) values.col(k) = column;
    else values.col(k) = (column.array() == static_cast<double>(term.category)).cast<double>();
  }
  return values;
}

CovariateBasis::CovariateBasis(const Matrix& values, bool centred)
    : sums_(values.cwiseAbs().colwise().sum().transpose()),
      n_rows_(values.rows()),
      mean_(Vector::Zero(values.cols())),
      scale_(Vector::Ones(values.cols())) {
  const Index n = values.rows(), count = values.cols();
  const double length = std::sqrt(static_cast<double>(n));
  columns_.resize(n, count);
  Matrix triangle = Matrix::Zero(count, count);
  for (Index j = 0; j < count; ++j) {
    Vector column = values.col(j);
    const double size = column.norm();
    if (centred) mean_(j) = column.mean();
    column.array() -= mean_(j);
    if (!(column.norm() > kDependent * size)) {
      left_out_.push_back(j);
      continue;
    }
    scale_(j) = column.norm() / length;
    column /= scale_(j);
    const auto k = std::ssize(kept_);
    // Twice, for what rounding leaves of the others at first.
    for (int pass = 0; pass < 2; ++pass) {
      const Vector parts = columns_.leftCols(k).transpose() * column / static_cast<double>(n);
      column -= columns_.leftCols(k) * parts;
      triangle.col(k).head(k) += parts;
    }
    const double left = column.norm() / length;
    if (!(left > kDependent)) {
      triangle.col(k).setZero();
      left_out_.push_back(j);
      continue;
    }
    triangle(k, k) = left;
    columns_.col(k) = column / left;
    kept_.push_back(j);
  }
  const auto rank = std::ssize(kept_);
  columns_.conservativeResize(n, rank);
  triangle_ = triangle.topLeftCorner(rank, rank);
}

Matrix CovariateBasis::in_user_units(const Matrix& unpenalised) const {
  const auto rank = std::ssize(kept_);
  const Index leading = unpenalised.rows() - rank;
  Matrix all = Matrix::Zero(leading + n_covariates(), unpenalised.cols());
  all.topRows(leading) = unpenalised.topRows(leading);
  if (rank == 0) return all;
  const Matrix scaled = triangle_.triangularView<Eigen::Upper>().solve(unpenalised.bottomRows(rank));
  for (Index k = 0; k < rank; ++k) {
    const Index j = kept_[k];
    all.row(leading + j) = scaled.row(k) / scale_(j);
    if (leading > 0) all.row(0) -= mean_(j) * all.row(leading + j);
  }
  return all;
}

double CovariateBasis::rounding(const Matrix& coefficients) const {
  constexpr double kEpsilonOfTerm = 4 * std::numeric_limits<double>::epsilon();
  const Index leading = coefficients.rows() - n_covariates();
  double sum = static_cast<double>(n_rows_) * coefficients.topRows(leading).cwiseAbs().sum();
  for (Index j = 0; j < n_covariates(); ++j) sum += sums_(j) * coefficients.row(leading + j).cwiseAbs().sum();
  return kEpsilonOfTerm * sum;
}

Matrix CovariateBasis::of_columns(const Matrix& unpenalised) const {
  const auto rank = std::ssize(kept_);
  const Index leading = unpenalised.rows() - n_covariates();
  Matrix part(leading + rank, unpenalised.cols());
  part.topRows(leading) = unpenalised.topRows(leading);
  if (rank == 0) return part;
  Matrix scaled(rank, unpenalised.cols());
  for (Index k = 0; k < rank; ++k) {
    const Index j = kept_[k];
    scaled.row(k) = scale_(j) * unpenalised.row(leading + j);
    if (leading > 0) part.row(0) += mean_(j) * unpenalised.row(leading + j);
  }
  part.bottomRows(rank) = triangle_.triangularView<Eigen::Upper>() * scaled;
  return part;
}

}  // namespace spicymkl
