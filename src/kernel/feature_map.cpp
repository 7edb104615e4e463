#include "spicymkl/kernel/feature_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "monomials.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

Index count_raw(const FeatureSource& source, const FeatureConstants& constants) {
  switch (source.spec->features.kind) {
    case FeatureKind::nystrom:
      return constants.points.rows();
    case FeatureKind::fourier:
      return 2 * constants.points.cols();
    default:
      return source.base == Base::matches ? constants.points.rows() : n_exact_features(*source.spec);
  }
}

}  // namespace

Vector FeatureSource::diagonal(ConstMatrixRef rows) const {
  Vector values(rows.rows());
  base_diagonal(Points(rows, base), values);
  function->map(values.data(), values.data(), values.size());
  return values;
}

Vector FeatureSource::terms(ConstMatrixRef rows) const {
  if (normalization.kind != Normalize::diagonal) return {};
  return diagonal(rows).cwiseSqrt().cwiseInverse();
}

FeatureMap::FeatureMap(FeatureSource source, FeatureConstants constants)
    : source_(std::move(source)),
      constants_(std::move(constants)),
      n_columns_(std::ssize(source_.spec->columns)),
      n_raw_(count_raw(source_, constants_)) {
  check();
  if (source_.normalization.kind == Normalize::trace) factor_ = 1 / std::sqrt(source_.normalization.trace);
  const FeatureKind kind = source_.spec->features.kind;
  if (kind == FeatureKind::exact && source_.base != Base::matches)
    monomials_ = std::make_shared<const Monomials>(n_columns_, source_.function->powers());
  if (kind != FeatureKind::nystrom) return;
  points_ = std::make_unique<Points>(constants_.points, source_.base);
  landmark_terms_ = source_.terms(constants_.points);
}

void FeatureMap::check() const {
  const FeatureKind kind = source_.spec->features.kind;
  const Matrix& points = constants_.points;
  const Matrix& whitening = constants_.whitening;
  bool fits = constants_.offset.size() == (source_.normalization.kind == Normalize::center ? n_raw_ : 0) && n_raw_ > 0;
  if (kind == FeatureKind::nystrom)
    fits = fits && points.cols() == n_columns_ && whitening.rows() == n_raw_ && whitening.cols() == n_raw_;
  else fits = fits && whitening.size() == 0;
  if (kind == FeatureKind::fourier) fits = fits && points.rows() == n_columns_;
  if (kind == FeatureKind::exact && source_.base == Base::matches) {
    fits = fits && points.cols() == 2;
    for (Index k = 0; fits && k < points.rows(); ++k) fits = points(k, 0) >= 0 && points(k, 0) < n_columns_;
  }
  if (!fits)
    throw InputError(fmt::format("kernel '{}': its features do not fit together; train again", source_.spec->name));
}

Matrix FeatureMap::rows_of(const Samples& samples, Index first, Index count) const {
  Matrix rows(count, n_columns_);
  for (Index j = 0; j < n_columns_; ++j)
    rows.col(j) = samples.values.col(source_.spec->columns[j]).segment(first, count);
  return rows;
}

void FeatureMap::raw_landmarks(ConstMatrixRef rows, MatrixRef out) const {
  base_block(Points(rows, source_.base), 0, *points_, 0, out);
  for (Index j = 0; j < out.cols(); ++j) source_.function->map(&out(0, j), &out(0, j), out.rows());
}

void FeatureMap::raw_waves(ConstMatrixRef rows, MatrixRef out) const {
  const Index half = constants_.points.cols();
  out.leftCols(half).noalias() = rows * constants_.points;
  const double amplitude = 1 / std::sqrt(static_cast<double>(half));  // so that φ(x)ᵀφ(x) = 1
  out.rightCols(half) = amplitude * out.leftCols(half).array().sin();
  out.leftCols(half) = amplitude * out.leftCols(half).array().cos();
}

/// 1 for the category of a row, 0 for all others, column by column.
void FeatureMap::raw_categories(ConstMatrixRef rows, MatrixRef out) const {
  const double one = 1 / std::sqrt(static_cast<double>(n_columns_));
  for (Index k = 0; k < n_raw_; ++k) {
    const auto column = rows.col(static_cast<Index>(constants_.points(k, 0))).array();
    out.col(k) = (column == constants_.points(k, 1)).cast<double>() * one;
  }
}

void FeatureMap::raw_monomials(ConstMatrixRef rows, MatrixRef out) const {
  if (source_.base != Base::cosine) return monomials_->compute(rows, out);
  monomials_->compute(Points(rows, source_.base).inverse_norms().asDiagonal() * rows, out);
}

void FeatureMap::raw(ConstMatrixRef rows, MatrixRef out) const {
  switch (source_.spec->features.kind) {
    case FeatureKind::nystrom:
      raw_landmarks(rows, out);
      break;
    case FeatureKind::fourier:
      raw_waves(rows, out);
      break;
    default:
      if (monomials_) raw_monomials(rows, out);
      else raw_categories(rows, out);
  }
  if (const Vector terms = source_.terms(rows); terms.size() > 0) out.array().colwise() *= terms.array();
  if (landmark_terms_.size() > 0) out.array().rowwise() *= landmark_terms_.transpose().array();
  if (constants_.offset.size() > 0) out.rowwise() -= constants_.offset.transpose();
}

void FeatureMap::raw(const Samples& samples, Index first, MatrixRef out) const {
  raw(rows_of(samples, first, out.rows()), out);
  const Vector present = presence(samples, first, out.rows());
  for (Index i = 0; i < present.size(); ++i)
    if (present(i) == 0) out.row(i).setZero();  // whatever was made of nothing
}

Vector FeatureMap::presence(const Samples& samples, Index first, Index count) const {
  return samples.views.presence(source_.spec->columns, first, count);
}

Vector FeatureMap::largest_diagonal(const Samples& samples, Index first, Index count) const {
  Vector largest = source_.normalization.kind == Normalize::diagonal
                       ? Vector::Ones(count)
                       : Vector(factor_ * factor_ * source_.diagonal(rows_of(samples, first, count)));
  if (const Vector present = presence(samples, first, count); present.size() > 0) largest.array() *= present.array();
  return largest;
}

Matrix FeatureMap::features(const Samples& samples, Index first, Index count) const {
  constexpr Index kRowsAtOnce = 256;
  Matrix features(count, width());
  for (Index row = 0; row < count; row += kRowsAtOnce) {
    auto part = features.middleRows(row, std::min(kRowsAtOnce, count - row));
    raw(samples, first + row, part);
    whiten(part);
  }
  return features;
}

Matrix FeatureMap::to_features(ConstMatrixRef sums) const {
  if (constants_.whitening.size() == 0) return factor_ * sums;
  return constants_.whitening.transpose().triangularView<Eigen::Lower>() * (factor_ * sums);
}

Matrix FeatureMap::to_raw(ConstMatrixRef weights) const {
  if (constants_.whitening.size() == 0) return factor_ * weights;
  return constants_.whitening.triangularView<Eigen::Upper>() * (factor_ * weights);
}

void FeatureMap::whiten(ConstMatrixRef raw_features, MatrixRef out) const {
  out = raw_features;
  whiten(out);
}

void FeatureMap::whiten(MatrixRef rows) const {
  if (constants_.whitening.size() > 0) blas::multiply_by_upper(factor_, constants_.whitening, rows);
  else if (factor_ != 1) rows *= factor_;
}

}  // namespace spicymkl
