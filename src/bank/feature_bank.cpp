#include "feature_bank.hpp"

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "core/renew.hpp"
#include "dense_sum.hpp"
#include "low_rank_bank.hpp"
#include "spicymkl/bank/forwarding_bank.hpp"
#include "streamed_system.hpp"

namespace spicymkl {

namespace {

constexpr Index kFeatureRows = 256;   // rows whose features stay in the cache
constexpr double kMostKept = 0x1p34;  // bytes
constexpr Index kMostChunks = 64, kLargestChunk = 32 * kFeatureRows;

Index chunk_size(Index n) {
  const Index blocks = (n + kMostChunks * kFeatureRows - 1) / (kMostChunks * kFeatureRows);
  return std::clamp(blocks * kFeatureRows, kFeatureRows, kLargestChunk);
}

}  // namespace

FeatureBank::FeatureBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels, int threads,
                         Watch watch, double work_bytes)
    : KernelBank({training->n_rows(), std::ssize(kernels), threads, std::move(watch), work_bytes}),
      training_(std::move(training)),
      kernels_(std::move(kernels)),
      chunk_(chunk_size(n_samples())),
      traces_(Vector::Zero(n_kernels())) {
  for_each_kernel(all_kernels(n_kernels()), static_cast<double>(n_samples()), [&](Index m, Matrix&) {
    for (Index row = 0; row < n_samples(); row += kFeatureRows)
      traces_(m) += map(m).largest_diagonal(*training_, row, std::min(kFeatureRows, n_samples() - row)).sum();
  });
}

template <class Body>
void FeatureBank::for_each_block(Index kernel, Index first, Index last, Matrix& workspace, const Body& body) const {
  const FeatureMap& features = map(kernel);
  if (workspace.cols() < features.n_raw()) renew(workspace, kFeatureRows, features.n_raw());
  for (Index row = first; row < last; row += kFeatureRows) {
    auto raw = workspace.topLeftCorner(std::min(kFeatureRows, last - row), features.n_raw());
    if (body.wants(row, raw.rows())) {
      features.raw(*training_, row, raw);
      body(row, raw);
    }
  }
}

namespace {

/// A body for all blocks.
template <class Do>
struct Always {
  Do act;
  static bool wants(Index, Index) { return true; }
  void operator()(Index row, MatrixRef raw) const { act(row, raw); }
};

/// A body for those blocks in which V is not 0.
template <class Do>
struct WherePresent {
  ConstMatrixRef V;
  Do act;
  bool wants(Index row, Index count) const { return (V.middleRows(row, count).array() != 0).any(); }
  void operator()(Index row, MatrixRef raw) const { act(row, raw); }
};

template <class Do>
Always<Do> always(Do act) {
  return {std::move(act)};
}

template <class Do>
WherePresent<Do> where_present(ConstMatrixRef V, Do act) {
  return {V, std::move(act)};
}

}  // namespace

template <class Body>
void FeatureBank::for_each_chunk(double cost_per_row, const Body& body) const {
  const Index n = n_samples(), n_chunks = (n + chunk_ - 1) / chunk_;
  StopCheck stop(watch());
  parallel_for(n_chunks, threads(), cost_per_row * static_cast<double>(chunk_), [&](Index begin, Index end) {
    Matrix workspace;
    for (Index chunk = begin; chunk < end && !stop.skip(); ++chunk)
      body(chunk * chunk_, std::min(n, (chunk + 1) * chunk_), workspace);
  });
  stop.finish();
}

double FeatureBank::cost_per_row(KernelSet set) const {
  double cost = 0;
  for (const Index m : set) cost += map(m).row_cost();
  return cost;
}

std::vector<Matrix> FeatureBank::raw_sums(KernelSet set, ConstMatrixRef V) const {
  const Index n = n_samples(), n_chunks = (n + chunk_ - 1) / chunk_, width = V.cols();
  std::vector<Matrix> parts(set.size());  // chunk by chunk
  for (std::size_t k = 0; k < set.size(); ++k) parts[k].setZero(map(set[k]).n_raw(), n_chunks * width);
  StopCheck stop(watch());
  const double cost = cost_per_row(set) * static_cast<double>(chunk_) / std::max<double>(1, std::ssize(set));
  parallel_for(std::ssize(set) * n_chunks, threads(), cost, [&](Index begin, Index end) {
    Matrix workspace;
    for (Index unit = begin; unit < end && !stop.skip(); ++unit) {
      const Index k = unit / n_chunks, chunk = unit % n_chunks;
      auto sum = parts[k].middleCols(chunk * width, width);
      for_each_block(set[k], chunk * chunk_, std::min(n, (chunk + 1) * chunk_), workspace,
                     where_present(V, [&](Index row, MatrixRef raw) {
                       sum.noalias() += raw.transpose() * V.middleRows(row, raw.rows());
                     }));
    }
  });
  stop.finish();
  std::vector<Matrix> sums;
  for (const Matrix& part : parts) {
    Matrix sum = Matrix::Zero(part.rows(), width);
    for (Index chunk = 0; chunk < n_chunks; ++chunk) sum += part.middleCols(chunk * width, width);
    sums.push_back(std::move(sum));
  }
  return sums;
}

void FeatureBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const Index width = V.cols();
  std::vector<Matrix> weights = raw_sums(set, V);  // β with K̃V = Gβ
  for (std::size_t k = 0; k < set.size(); ++k) weights[k] = map(set[k]).to_raw(map(set[k]).to_features(weights[k]));
  for_each_chunk(cost_per_row(set), [&](Index first, Index last, Matrix& workspace) {
    for (Index k = 0; k < std::ssize(set); ++k)
      for_each_block(set[k], first, last, workspace, always([&](Index row, MatrixRef raw) {
                       out.block(row, k * width, raw.rows(), width).noalias() = raw * weights[k];
                     }));
  });
}

void FeatureBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  std::vector<SharedFactor> kept;
  for (const Index m : set) kept.push_back(kept_features(m));
  const double cost = cost_per_row(set) + static_cast<double>(total_width(set) * total_width(set));
  for_each_chunk(cost, [&](Index first, Index last, Matrix& workspace) {
    Matrix features;
    for (Index k = 0; k < std::ssize(set); ++k) {
      if (kept[k]) {
        for (Index j = 0; j < kept[k]->cols(); ++j)
          out.segment(first, last - first) += weights(k) * kept[k]->col(j).segment(first, last - first).cwiseAbs2();
        continue;
      }
      for_each_block(set[k], first, last, workspace, always([&](Index row, MatrixRef raw) {
                       renew(features, raw.rows(), map(set[k]).width());
                       map(set[k]).whiten(raw, features);
                       out.segment(row, raw.rows()) += weights(k) * features.rowwise().squaredNorm();
                     }));
    }
  });
}

void FeatureBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const std::vector<Matrix> sums = raw_sums(set, V);
  for (Index k = 0; k < std::ssize(set); ++k) out.row(k) = map(set[k]).to_features(sums[k]).colwise().squaredNorm();
}

void FeatureBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  Matrix W = feature_sums(set, V);
  Index first = 0;
  for (Index k = 0; k < std::ssize(set); ++k) {
    W.middleRows(first, map(set[k]).width()) *= weights(k);
    first += map(set[k]).width();
  }
  out.setZero();
  add_features(set, W, out);
}

Index FeatureBank::total_width(KernelSet set) const {
  Index width = 0;
  for (const Index m : set) width += map(m).width();
  return width;
}

Matrix FeatureBank::feature_sums(KernelSet set, ConstMatrixRef V) const {
  const std::vector<Matrix> sums = raw_sums(set, V);
  Matrix joined(total_width(set), V.cols());
  Index first = 0;
  for (std::size_t k = 0; k < set.size(); ++k) {
    joined.middleRows(first, map(set[k]).width()) = map(set[k]).to_features(sums[k]);
    first += map(set[k]).width();
  }
  return joined;
}

void FeatureBank::add_features(KernelSet set, ConstMatrixRef W, MatrixRef out) const {
  std::vector<Matrix> weights;
  Index place = 0;
  for (const Index m : set) {
    weights.push_back(map(m).to_raw(W.middleRows(place, map(m).width())));
    place += map(m).width();
  }
  for_each_chunk(cost_per_row(set), [&](Index first, Index last, Matrix& workspace) {
    for (std::size_t k = 0; k < set.size(); ++k)
      for_each_block(set[k], first, last, workspace, always([&](Index row, MatrixRef raw) {
                       out.middleRows(row, raw.rows()).noalias() += raw * weights[k];
                     }));
  });
}

void FeatureBank::transposed_features(KernelSet set, Index first, MatrixRef out) const {
  std::vector<Index> place(set.size() + 1, 0);
  for (std::size_t k = 0; k < set.size(); ++k) place[k + 1] = place[k] + map(set[k]).width();
  const Index n_blocks = (out.cols() + kFeatureRows - 1) / kFeatureRows;
  const double cost = cost_per_row(set) * static_cast<double>(kFeatureRows) / std::max<double>(1, std::ssize(set));
  parallel_for(n_blocks * std::ssize(set), threads(), cost, [&](Index begin, Index end) {
    Matrix workspace, features;
    for (Index unit = begin; unit < end; ++unit) {
      const Index k = unit % std::ssize(set), row = unit / std::ssize(set) * kFeatureRows;
      const FeatureMap& of = map(set[k]);
      for_each_block(set[k], first + row, first + std::min(row + kFeatureRows, out.cols()), workspace,
                     always([&](Index, MatrixRef raw) {
                       renew(features, raw.rows(), of.width());
                       of.whiten(raw, features);
                       out.block(place[k], row, of.width(), raw.rows()) = features.transpose();
                     }));
    }
  });
}

std::unique_ptr<NewtonSystem> FeatureBank::make_newton_system() const {
  return std::make_unique<StreamedNewtonSystem>(*this, KernelBank::make_newton_system());
}

KernelSubsets FeatureBank::subsets() const {
  constexpr double kKept = 0.2;  // of the room to work: those who work with the features copy them
  return {n_kernels(), [this](std::vector<Index> kernels) -> std::shared_ptr<const KernelBank> {
            const double numbers = static_cast<double>(n_samples()) * static_cast<double>(total_width(kernels));
            if (sizeof(double) * numbers > kKept * std::min(work_bytes(), kMostKept)) {
              keep_features({});
              return std::make_shared<ForwardingBank>(*this, std::move(kernels));
            }
            std::vector<std::string> names;
            for (const Index m : kernels) names.push_back(name(m));
            const Vector nothing = Vector::Zero(std::ssize(kernels));
            return std::make_shared<LowRankBank>(keep_features(kernels), nothing, n_samples(), std::move(names),
                                                 threads(), watch(), work_bytes());
          }};
}

std::vector<SharedFactor> FeatureBank::keep_features(KernelSet set) const {
  std::vector<SharedFactor> features;
  for (const Index m : set) {
    features.push_back(kept_features(m));
    if (features.back()) continue;
    const auto made = std::make_shared<Matrix>(n_samples(), factor_width(m));
    weighted_factor({&m, 1}, Vector::Ones(1), *made);
    features.back() = made;
  }
  const std::scoped_lock lock(keeping_);
  kept_.clear();
  for (std::size_t k = 0; k < set.size(); ++k) kept_[set[k]] = features[k];
  return features;
}

SharedFactor FeatureBank::kept_features(Index kernel) const {
  const std::scoped_lock lock(keeping_);
  const auto found = kept_.find(kernel);
  return found == kept_.end() ? nullptr : found->second;
}

std::shared_ptr<const KernelBank> FeatureBank::on_samples(const std::vector<Index>& rows) const {
  return std::make_shared<FeatureBank>(std::make_shared<const Samples>(select_rows(*training_, rows)), kernels_,
                                       threads(), watch(), work_bytes());
}

std::vector<BankUse> FeatureBank::use() const { return {{"features", n_kernels(), 0}}; }

void FeatureBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  for_each_chunk(cost_per_row(set), [&](Index first, Index last, Matrix& workspace) {
    Index place = 0;
    for (Index k = 0; k < std::ssize(set); ++k) {
      const FeatureMap& of = map(set[k]);
      for_each_block(set[k], first, last, workspace, always([&](Index row, MatrixRef raw) {
                       auto part = columns.block(row, place, raw.rows(), of.width());
                       of.whiten(raw, part);
                       part *= std::sqrt(weights(k));
                     }));
      place += of.width();
    }
  });
}

template <class Add>
void FeatureBank::for_each_factor(KernelSet set, ConstVectorRef weights, const Add& add) const {
  for (Index k = 0; k < std::ssize(set); ++k) {
    watch().check();
    Matrix columns(n_samples(), map(set[k]).width());
    weighted_factor(set.subspan(k, 1), weights.segment(k, 1), columns);
    add(columns);
  }
}

void FeatureBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  for_each_factor(set, weights, [&](const Matrix& U) { blas::symmetric_rank_k(1, U, A, threads()); });
}

void FeatureBank::add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const {
  for_each_factor(set, weights, [&](const Matrix& U) { blas::symmetric_rank_k(1, U.cast<float>(), A, threads()); });
}

}  // namespace spicymkl
