#include "spicymkl/kernel/fitted_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/blas.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "tiles.hpp"

namespace spicymkl {

FittedKernel::FittedKernel(KernelSpec spec, Normalization normalization) : normalization_(std::move(normalization)) {
  const KernelType& type = resolve(spec, std::numeric_limits<Index>::max());
  base_ = type.base;
  function_ = type.make(spec.parameters);
  spec_ = std::make_shared<const KernelSpec>(std::move(spec));
}

FittedKernel::FittedKernel(KernelSpec spec, Normalization normalization, FeatureConstants features)
    : FittedKernel(std::move(spec), std::move(normalization)) {
  features_ = std::make_shared<const FeatureMap>(feature_source(), std::move(features));
}

FittedKernel FittedKernel::on_rows(std::span<const Index> rows) const {
  FittedKernel kernel = *this;
  if (normalization_.row_means.size() > 0) kernel.normalization_.row_means = normalization_.row_means(rows);
  return kernel;
}

FittedKernel FittedKernel::fit(KernelSpec spec, const Samples& training, int threads, const Watch& watch) {
  resolve(spec, training.n_columns());
  if (const auto rows = training.views.present_rows(spec.columns, training.n_rows());
      std::ssize(rows) < training.n_rows())
    return fit_present(std::move(spec), training, rows, threads, watch);
  check_columns(spec, training);
  const Normalize kind = spec.normalize;
  FittedKernel fitted(std::move(spec), Normalization{kind, 1, {}, 0});
  if (kind == Normalize::trace) fitted.fit_trace(training);
  if (kind == Normalize::diagonal) fitted.diagonal_terms(training);  // refuses rows that have none
  if (fitted.spec().features.kind != FeatureKind::none)
    fitted.features_ = FeatureMap::fit(fitted.feature_source(), training, threads, watch);
  else if (kind == Normalize::center) fitted.fit_center(training, threads, watch);
  return fitted;
}

/// On these rows and its own columns alone, then as a kernel of the whole table.
FittedKernel FittedKernel::fit_present(KernelSpec spec, const Samples& training, std::span<const Index> rows,
                                       int threads, const Watch& watch) {
  if (rows.empty())
    throw InputError(
        fmt::format("kernel '{}': there is no training row that all of its sources have (columns {}); leave it out",
                    spec.name, describe_columns(spec.columns, training.columns)));
  Samples present = select(training, rows, spec.columns);
  present.views = {};
  KernelSpec alone = spec;
  alone.columns = all_kernels(std::ssize(spec.columns));
  const FittedKernel fitted = fit(std::move(alone), present, threads, watch);
  Normalization normalization = fitted.normalization();
  if (normalization.row_means.size() > 0) {
    normalization.row_means = Vector::Zero(training.n_rows());
    normalization.row_means(rows) = fitted.normalization().row_means;
  }
  if (fitted.has_features()) return {std::move(spec), std::move(normalization), fitted.features().constants()};
  return {std::move(spec), std::move(normalization)};
}

std::shared_ptr<const FeatureMap> FittedKernel::exact_features(const Samples& training) const {
  KernelSpec spec = *spec_;
  spec.features = {.kind = FeatureKind::exact};
  FeatureSource source = feature_source();
  source.spec = std::make_shared<const KernelSpec>(std::move(spec));
  return FeatureMap::fit(std::move(source), training, 1, {});
}

Vector FittedKernel::raw_diagonal(const Samples& samples) const {
  Vector diagonal(samples.n_rows());
  base_diagonal(points(samples), diagonal);
  function_->map(diagonal.data(), diagonal.data(), diagonal.size());
  diagonal.array() += spec_->jitter;
  for (Index row = 0; row < diagonal.size(); ++row)
    if (!std::isfinite(diagonal(row)))
      throw InputError(fmt::format("kernel '{}': {}: k(x, x) overflows in columns {}; standardise the columns",
                                   spec_->name, samples.place(row), describe_columns(spec_->columns, samples.columns)));
  return diagonal;
}

void FittedKernel::fit_trace(const Samples& training) {
  normalization_.trace = raw_diagonal(training).sum();
  if (!(normalization_.trace > 0 && std::isfinite(1 / normalization_.trace)))
    throw InputError(
        fmt::format("kernel '{}': it is 0 on every training row, so that its trace cannot be made 1: column {} "
                    "is constant; leave it out, or set \"normalize\": \"none\"",
                    spec_->name, describe_columns(spec_->columns, training.columns)));
}

Vector FittedKernel::diagonal_terms(const Samples& samples) const {
  Vector diagonal = raw_diagonal(samples);
  if (const Vector present = presence(samples); present.size() > 0)
    diagonal = (present.array() != 0).select(diagonal, 1);  // nothing is divided by it
  for (Index row = 0; row < diagonal.size(); ++row)
    if (!(diagonal(row) > 0 && std::isfinite(1 / diagonal(row))))
      throw InputError(fmt::format(
          "kernel '{}': {}: k(x, x) is {} in columns {}, so that it cannot be made 1; leave the "
          "row out, add a jitter, or set \"normalize\": \"trace\"",
          spec_->name, samples.place(row), diagonal(row), describe_columns(spec_->columns, samples.columns)));
  return diagonal.cwiseSqrt().cwiseInverse();
}

Vector FittedKernel::means_over_training(const Samples& fresh, const Samples& training, int threads,
                                         const Watch& watch) const {
  const Points to = points(fresh), over = points(training);
  const RowTerms there{{}, presence(training)};
  Vector means(fresh.n_rows());
  StopCheck stop(watch);
  parallel_for(n_tiles(fresh.n_rows()), resolve_threads(threads), kTile * entry_cost() * training.n_rows(),
               [&](Index begin, Index end) {
                 Matrix buffer(kTile, kTile);
                 for (Index row = begin * kTile; row < std::min(end * kTile, fresh.n_rows()); row += kTile) {
                   auto sums = means.segment(row, tile_size(row, fresh.n_rows()));
                   sums.setZero();
                   for (Index column = 0; column < training.n_rows() && !stop.skip(); column += kTile) {
                     auto block = buffer.topLeftCorner(sums.size(), tile_size(column, training.n_rows()));
                     base_block(to, row, over, column, block);
                     for (Index j = 0; j < block.cols(); ++j) {
                       if (!there.has(column + j)) continue;
                       function_->map(&block(0, j), &block(0, j), block.rows());
                       sums += block.col(j);
                     }
                   }
                 }
               });
  stop.finish();
  return means / (there.present.size() == 0 ? static_cast<double>(training.n_rows()) : there.present.sum());
}

void FittedKernel::fit_center(const Samples& training, int threads, const Watch& watch) {
  const auto n = static_cast<double>(training.n_rows());
  normalization_.row_means = means_over_training(training, training, threads, watch).array() + spec_->jitter / n;
  normalization_.grand_mean = normalization_.row_means.mean();
  Vector diagonal = raw_diagonal(training);
  const double before = diagonal.sum();
  normalization_.apply_to_diagonal(diagonal, normalization_.row_means);
  if (!(diagonal.sum() > 1e-14 * before))
    throw InputError(
        fmt::format("kernel '{}': nothing is left of it after centring: on the training rows column {} is constant, or "
                    "varies in its last digits alone; leave it out, or standardise it if it does vary",
                    spec_->name, describe_columns(spec_->columns, training.columns)));
}

RowTerms FittedKernel::training_terms(const Samples& training) const {
  if (normalization_.kind == Normalize::diagonal) return {diagonal_terms(training), presence(training)};
  return {normalization_.row_means, presence(training)};
}

RowTerms FittedKernel::terms(const Samples& fresh, const Samples& training, int threads) const {
  RowTerms terms{{}, presence(fresh)};
  if (normalization_.kind == Normalize::diagonal) terms.values = diagonal_terms(fresh);
  if (normalization_.kind == Normalize::center) terms.values = means_over_training(fresh, training, threads);
  return terms;
}

void FittedKernel::finish(MatrixRef block, const RowTermsRef& row_terms, const RowTermsRef& column_terms) const {
  for (Index j = 0; j < block.cols(); ++j) function_->map(&block(0, j), &block(0, j), block.rows());
  normalization_.apply(block, row_terms.values, column_terms.values);
  if (row_terms.present.size() > 0)
    for (Index j = 0; j < block.cols(); ++j) block.col(j) = (row_terms.present.array() != 0).select(block.col(j), 0);
  for (Index j = 0; j < column_terms.present.size(); ++j)
    if (column_terms.present(j) == 0) block.col(j).setZero();
}

void FittedKernel::gram(const Samples& training, MatrixRef out, int threads) const {
  if (has_features()) {
    const Matrix features = features_->features(training, 0, training.n_rows());
    out.setZero();
    blas::symmetric_rank_k(1, features, out, resolve_threads(threads));
    out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
    return;
  }
  fill_grams({this}, {0}, training, resolve_threads(threads), {}, [&](Index) { return out; });
}

void FittedKernel::cross(const Samples& fresh, const Samples& training, MatrixRef out, int threads) const {
  check_columns(*spec_, fresh);
  if (has_features()) {
    out.noalias() =
        features_->features(fresh, 0, fresh.n_rows()) * features_->features(training, 0, training.n_rows()).transpose();
    return;
  }
  const Points rows = points(fresh), columns = points(training);
  const RowTerms row_terms = terms(fresh, training, threads), column_terms = training_terms(training);
  const Index down = n_tiles(fresh.n_rows());
  parallel_for(down * n_tiles(training.n_rows()), resolve_threads(threads), kTile * kTile * entry_cost(),
               [&](Index begin, Index end) {
                 for (Index t = begin; t < end; ++t) {
                   const Index row = t % down * kTile, column = t / down * kTile;
                   auto tile =
                       out.block(row, column, tile_size(row, fresh.n_rows()), tile_size(column, training.n_rows()));
                   base_block(rows, row, columns, column, tile);
                   finish(tile, row_terms.part(row, tile.rows()), column_terms.part(column, tile.cols()));
                 }
               });
}

void FittedKernel::cross(const Samples& fresh, const Samples& training, std::span<const Index> rows, MatrixRef out,
                         int threads) const {
  if (!needs_all_training_rows()) return cross(fresh, select_rows(training, rows), out, threads);
  Matrix all(fresh.n_rows(), training.n_rows());
  cross(fresh, training, all, threads);
  for (Index j = 0; j < std::ssize(rows); ++j) out.col(j) = all.col(rows[j]);
}

Vector FittedKernel::diagonal(const Samples& fresh, const Samples& training, int threads) const {
  check_columns(*spec_, fresh);
  if (has_features()) return features_->features(fresh, 0, fresh.n_rows()).rowwise().squaredNorm();
  return normalized_diagonal(fresh, terms(fresh, training, threads));
}

Vector FittedKernel::normalized_diagonal(const Samples& samples, const RowTerms& terms) const {
  Vector diagonal = raw_diagonal(samples);
  normalization_.apply_to_diagonal(diagonal, terms.values);
  if (terms.present.size() > 0) diagonal = (terms.present.array() != 0).select(diagonal, 0);
  return diagonal;
}

Vector FittedKernel::training_diagonal(const Samples& training) const {
  if (has_features()) return features_->features(training, 0, training.n_rows()).rowwise().squaredNorm();
  return normalized_diagonal(training, training_terms(training));
}

}  // namespace spicymkl
