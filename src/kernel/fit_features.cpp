// How landmarks, frequencies and categories are found on the training rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/random_draws.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/kernel/feature_map.hpp"

namespace spicymkl {

namespace {

constexpr Index kFewestCandidates = 1000, kCandidatesPerLandmark = 8;
constexpr Index kTestRows = 1000;     // on which it is measured what is left out
constexpr double kSmallPivot = 1e-9;  // of k(x, x): what is left of it is rounding
constexpr Index kBlock = 256;

Matrix gather(const Samples& training, std::span<const Index> rows, std::span<const Index> columns) {
  return training.values(std::vector(rows.begin(), rows.end()), std::vector(columns.begin(), columns.end()));
}

/// Randomly pivoted Cholesky (Chen, Epperly, Tropp and Webber 2023) on some rows: a row becomes a landmark with a
/// probability that is proportional to what the landmarks before it leave of k(x, x).
class LandmarkSearch {
 public:
  LandmarkSearch(const FeatureSource& source, Matrix rows)
      : source_(source),
        rows_(std::move(rows)),
        points_(rows_, source.base),
        terms_(source.terms(rows_)),
        residual_(source.diagonal(rows_)) {
    if (terms_.size() > 0) residual_.array() *= terms_.array().square();
    diagonal_ = residual_;
  }

  /// Constants without offset and error.
  FeatureConstants run(const FeatureSpec& wanted, const Watch& watch) {
    RandomDraws draws(wanted.seed);
    const Index most = std::min(wanted.rank, rows_.rows());
    const double enough = wanted.tolerance * diagonal_.sum();
    Matrix factor(rows_.rows(), most);
    std::vector<Index> pivots;
    while (std::ssize(pivots) < most && residual_.sum() > enough) {
      watch.check();
      const Index pivot = draw(draws);
      if (residual_(pivot) <= kSmallPivot * diagonal_(pivot)) {
        residual_(pivot) = 0;
        continue;
      }
      const Index rank = std::ssize(pivots);
      auto column = factor.col(rank);
      values_at(pivot, column);
      column.noalias() -= factor.leftCols(rank) * factor.row(pivot).head(rank).transpose();
      column /= std::sqrt(residual_(pivot));
      residual_ = (residual_ - column.cwiseAbs2()).cwiseMax(0.0);
      residual_(pivot) = 0;
      pivots.push_back(pivot);
    }
    if (pivots.empty())
      throw InputError(fmt::format(
          "kernel '{}': it is 0 on the training rows, so that it has no features; leave it out", source_.spec->name));
    return from_pivots(factor.leftCols(std::ssize(pivots)), pivots);
  }

 private:
  Index draw(RandomDraws& draws) const {
    double left = draws.uniform() * residual_.sum();
    Index last = 0;
    for (Index i = 0; i < residual_.size(); ++i) {
      if (residual_(i) <= 0) continue;
      last = i;
      left -= residual_(i);
      if (left < 0) break;
    }
    return last;
  }

  void values_at(Index pivot, MatrixRef column) const {
    base_block(points_, 0, points_, pivot, column);
    source_.function->map(column.data(), column.data(), column.rows());
    if (terms_.size() > 0) column.array() *= terms_.array() * terms_(pivot);
  }

  /// With L the rows of the factor at the landmarks, lower triangular, φ(x) = L⁻¹k(landmarks, x).
  FeatureConstants from_pivots(ConstMatrixRef factor, const std::vector<Index>& pivots) const {
    FeatureConstants constants;
    constants.points = rows_(pivots, Eigen::all);
    const Matrix L = factor(pivots, Eigen::all);
    const Matrix inverse = L.triangularView<Eigen::Lower>().solve(Matrix::Identity(L.rows(), L.rows()));
    constants.whitening = inverse.transpose();
    return constants;
  }

  const FeatureSource& source_;
  Matrix rows_;
  Points points_;
  Vector terms_, residual_, diagonal_;
};

std::vector<Index> some_rows(Index n, Index count, std::uint64_t seed) {
  RandomDraws draws(seed);
  return draws.subset(n, std::min(n, count));
}

FeatureConstants find_landmarks(const FeatureSource& source, const Samples& training, const Watch& watch) {
  const FeatureSpec& wanted = source.spec->features;
  const Index candidates = std::max(kFewestCandidates, kCandidatesPerLandmark * wanted.rank);
  const std::vector<Index> rows = some_rows(training.n_rows(), candidates, wanted.seed);
  return LandmarkSearch(source, gather(training, rows, source.spec->columns)).run(wanted, watch);
}

FeatureConstants draw_frequencies(const FeatureSource& source) {
  const KernelType& type = type_of(*source.spec);
  const FeatureSpec& wanted = source.spec->features;
  if (type.frequencies == nullptr)
    throw InputError(
        fmt::format("kernel '{}': type {} has no Fourier features; gaussian, laplacian and matern do: use nystrom",
                    source.spec->name, type.name));
  const Index half = std::max<Index>(1, wanted.rank / 2);
  FeatureConstants constants;
  constants.points = type.frequencies(source.spec->parameters, std::ssize(source.spec->columns), half, wanted.seed);
  return constants;
}

FeatureConstants own_features(const FeatureSource& source, const Samples& training) {
  FeatureConstants constants;
  if (n_exact_features(*source.spec) == 0)
    throw InputError(fmt::format(
        "kernel '{}': type {} has no exact features, or too many; linear, cosine, overlap and polynomials of "
        "few columns do: use nystrom",
        source.spec->name, source.spec->type));
  if (source.base != Base::matches) return constants;
  std::vector<std::pair<Index, double>> found;
  for (Index j = 0; j < std::ssize(source.spec->columns); ++j) {
    const auto column = training.values.col(source.spec->columns[j]);
    for (const double category : std::set<double>(column.begin(), column.end())) found.emplace_back(j, category);
  }
  constants.points.resize(std::ssize(found), 2);
  for (Index k = 0; k < std::ssize(found); ++k)
    constants.points.row(k) << static_cast<double>(found[k].first), found[k].second;
  return constants;
}

/// The mean of the raw features over all rows that the sources of the kernel have, without an offset.
Vector mean_of_raw(const FeatureMap& map, const Samples& training, std::span<const Index> columns, int threads,
                   const Watch& watch) {
  constexpr Index kChunk = 32 * kBlock;
  const Index n = training.n_rows(), n_chunks = (n + kChunk - 1) / kChunk;
  Matrix sums = Matrix::Zero(map.n_raw(), n_chunks);
  StopCheck stop(watch);
  parallel_for(n_chunks, resolve_threads(threads), kChunk * map.row_cost(), [&](Index begin, Index end) {
    Matrix block(kBlock, map.n_raw());
    for (Index chunk = begin; chunk < end && !stop.skip(); ++chunk)
      for (Index row = chunk * kChunk; row < std::min(n, (chunk + 1) * kChunk); row += kBlock) {
        auto part = block.topRows(std::min(kBlock, n - row));
        map.raw(training, row, part);
        sums.col(chunk) += part.colwise().sum().transpose();
      }
  });
  stop.finish();
  const Vector present = training.views.presence(columns);
  return sums.rowwise().sum() / (present.size() > 0 ? present.sum() : static_cast<double>(n));
}

/// Part of the trace of the kernel, before it is centred, that φ leaves out on some rows.
double measured_loss(const FeatureSource& source, const FeatureMap& map, const Samples& training) {
  const std::vector<Index> rows = some_rows(training.n_rows(), kTestRows, source.spec->features.seed + 1);
  const Matrix values = gather(training, rows, source.spec->columns);
  Matrix raw(values.rows(), map.n_raw()), features(values.rows(), map.width());
  map.raw(values, raw);
  map.whiten(raw, features);
  Vector whole = source.diagonal(values);
  if (const Vector terms = source.terms(values); terms.size() > 0) whole.array() *= terms.array().square();
  return whole.sum() > 0 ? std::max(0.0, 1 - features.squaredNorm() / whole.sum()) : 0;
}

/// The same kernel as φ without trace and centre.
FeatureSource plain(FeatureSource source) {
  const Normalize kind = source.normalization.kind;
  source.normalization = {kind == Normalize::diagonal ? kind : Normalize::none, 1, {}, 0};
  return source;
}

}  // namespace

std::shared_ptr<const FeatureMap> FeatureMap::fit(FeatureSource source, const Samples& training, int threads,
                                                  const Watch& watch) {
  const FeatureSource raw_source = plain(source);
  FeatureConstants constants;
  switch (source.spec->features.kind) {
    case FeatureKind::nystrom:
      constants = find_landmarks(raw_source, training, watch);
      break;
    case FeatureKind::fourier:
      constants = draw_frequencies(raw_source);
      break;
    default:
      constants = own_features(raw_source, training);
  }
  if (source.spec->features.kind == FeatureKind::nystrom || source.normalization.kind == Normalize::center) {
    const FeatureMap map(raw_source, constants);
    constants.missing = measured_loss(raw_source, map, training);
    if (source.normalization.kind == Normalize::center)
      constants.offset = mean_of_raw(map, training, source.spec->columns, threads, watch);
  }
  return std::make_shared<const FeatureMap>(std::move(source), std::move(constants));
}

}  // namespace spicymkl
