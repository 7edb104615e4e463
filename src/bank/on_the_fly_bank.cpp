#include "on_the_fly_bank.hpp"

#include <algorithm>

#include "materialized_bank.hpp"
#include "spicymkl/core/parallel.hpp"
#include "support.hpp"
#include "tiles.hpp"

namespace spicymkl {

OnTheFlyBank::OnTheFlyBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels,
                           double subset_bytes, int threads, Watch watch, double work_bytes)
    : KernelBank(std::move(watch), work_bytes),
      training_(std::move(training)),
      kernels_(std::move(kernels)),
      subset_bytes_(subset_bytes),
      threads_(resolve_threads(threads)),
      traces_(static_cast<Index>(kernels_.size())) {
  family_ = families_of(kernels_);
  parallel_for(n_kernels(), threads_, 10 * static_cast<double>(n_samples()), [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) traces_(m) = fitted(m).training_diagonal(*training_).sum();
  });
}

namespace {

constexpr double kFewComputed = 0.5;      // of a symmetric matrix: to compute whole columns pays when they are fewer
constexpr double kMostPartial = 0x1p28;   // bytes of sums that the parts of a sweep keep for themselves
constexpr double kWorthShowing = 0x1p33;  // entries of a sweep from which on it takes seconds

/// Work of computing an entry, for parallel_for: base and exp cost more than the product itself.
constexpr double kEntry = 10;

bool few_columns(const std::vector<Index>& support, Index n) {
  return static_cast<double>(support.size()) < kFewComputed * static_cast<double>(n);
}

Index tiles_of(Index n) { return (n + kTile - 1) / kTile; }

/// So many entries are going to be computed: shown where that takes long.
WatchedTask task_of(const Watch& watch, double entries, Index steps) {
  return {entries >= kWorthShowing ? watch : Watch(), "a pass over kernels that are not stored", steps};
}

}  // namespace

template <class Visit>
void OnTheFlyBank::sweep(KernelSet set, const std::vector<Index>& rows, Index parts, const Visit& visit) const {
  const Samples chosen = select_rows(*training_, rows);
  const Index n = chosen.n_rows();
  const std::vector<Slice> slices = slices_of(set, family_);
  // Strips of the lower triangle get shorter: each is taken together with its counterpart from the end.
  const Index strips = tiles_of(n), pairs = (strips + 1) / 2;
  const Index items = static_cast<Index>(slices.size()) * pairs;
  const double entries = 0.5 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(set.size());
  StopCheck stop(watch());
  WatchedTask task = task_of(watch(), entries, items);
  parallel_for(parts, threads_, kEntry * entries / static_cast<double>(parts), [&](Index begin, Index end) {
    for (Index part = begin; part < end; ++part)
      for (Index item = items * part / parts; item < items * (part + 1) / parts && !stop.skip(); ++item) {
        const Slice& slice = slices[static_cast<std::size_t>(item / pairs)];
        SlicedKernels sliced;
        for (const Index k : slice) {
          sliced.kernels.push_back(&fitted(set[static_cast<std::size_t>(k)]));
          const Vector all = sliced.kernels.back()->training_terms(*training_);
          sliced.terms.push_back(all.size() == 0 ? all : Vector(all(rows)));
        }
        const Points points = sliced.kernels.front()->points(chosen);
        const auto tell = [&](std::size_t k, Index row, Index at, const auto& tile) {
          visit(part, slice[k], row, at, tile);
        };
        const Index strip = item % pairs, other = strips - 1 - strip;
        for_each_tile_of_strip(sliced, points, n, strip * kTile, stop, tell);
        if (other != strip) for_each_tile_of_strip(sliced, points, n, other * kTile, stop, tell);
        task.advance();
      }
  });
  stop.finish();
}

template <class Visit>
void OnTheFlyBank::sweep_columns(KernelSet set, const std::vector<Index>& support, const Visit& visit) const {
  const Samples chosen = select_rows(*training_, support);
  const Index n = n_samples(), width = chosen.n_rows();
  const std::vector<Slice> slices = slices_of(set, family_);
  const Index strips = tiles_of(n);
  const double entries = static_cast<double>(n) * static_cast<double>(width) * static_cast<double>(set.size());
  StopCheck stop(watch());
  WatchedTask task = task_of(watch(), entries, static_cast<Index>(slices.size()) * strips);
  for (const Slice& slice : slices) {
    std::vector<Vector> row_terms, column_terms;
    for (const Index k : slice) {
      row_terms.push_back(fitted(set[static_cast<std::size_t>(k)]).training_terms(*training_));
      const Vector& all = row_terms.back();
      column_terms.push_back(all.size() == 0 ? all : Vector(all(support)));
    }
    const FittedKernel& first = fitted(set[static_cast<std::size_t>(slice.front())]);
    const Points points = first.points(*training_), columns = first.points(chosen);
    parallel_for(strips, threads_, kEntry * entries / static_cast<double>(strips), [&](Index begin, Index end) {
      Matrix base_buffer(kTile, kTile), tile_buffer(kTile, kTile);
      for (Index row = begin * kTile; row < std::min(end * kTile, n); row += kTile) {
        const Index height = std::min(kTile, n - row);
        for (Index column = 0; column < width && !stop.skip(); column += kTile) {
          auto base = base_buffer.topLeftCorner(height, std::min(kTile, width - column));
          auto tile = tile_buffer.topLeftCorner(height, base.cols());
          base_block(points, row, columns, column, base);
          for (std::size_t k = 0; k < slice.size(); ++k) {
            const FittedKernel& kernel = fitted(set[static_cast<std::size_t>(slice[k])]);
            tile = base;
            kernel.finish(tile, part_of(row_terms[k], row, height), part_of(column_terms[k], column, tile.cols()));
            for (Index j = 0; j < tile.cols(); ++j) {
              const Index i = support[static_cast<std::size_t>(column + j)];
              if (i < row || i >= row + height) continue;
              tile(i - row, j) += kernel.scaled_jitter(row_terms[k].size() == 0 ? 1 : row_terms[k](i));
            }
            visit(slice[k], row, column, tile);
          }
        }
        task.advance();
      }
    });
    stop.finish();
  }
}

void OnTheFlyBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  const Index n = n_samples(), count = static_cast<Index>(set.size());
  out.leftCols(count).setZero();
  if (const std::vector<Index> support = support_of(v); few_columns(support, n)) {
    const Vector w = v(support);
    return sweep_columns(set, support, [&](Index k, Index row, Index column, const auto& tile) {
      out.col(k).segment(row, tile.rows()).noalias() += tile * w.segment(column, tile.cols());
    });
  }
  // Both halves of a tile are used, so that parts meet in the same rows: each has sums of its own.
  const double sum_bytes = sizeof(double) * static_cast<double>(n) * static_cast<double>(std::max<Index>(count, 1));
  const auto room = static_cast<Index>(std::max(1.0, kMostPartial / sum_bytes));
  std::vector<Matrix> sums(static_cast<std::size_t>(std::min<Index>(threads_, room)), Matrix::Zero(n, count));
  sweep(set, all_kernels(n), static_cast<Index>(sums.size()),
        [&](Index part, Index k, Index row, Index column, const auto& tile) {
          auto sum = sums[static_cast<std::size_t>(part)].col(k);
          sum.segment(row, tile.rows()).noalias() += tile * v.segment(column, tile.cols());
          if (row != column)
            sum.segment(column, tile.cols()).noalias() += tile.transpose() * v.segment(row, tile.rows());
        });
  for (const Matrix& sum : sums) out.leftCols(count) += sum;
}

void OnTheFlyBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstVectorRef v, VectorRef out) const {
  const Index n = n_samples();
  out.setZero();
  if (const std::vector<Index> support = support_of(v); few_columns(support, n)) {
    const Vector w = v(support);
    return sweep_columns(set, support, [&](Index k, Index row, Index column, const auto& tile) {
      out.segment(row, tile.rows()).noalias() += weights(k) * (tile * w.segment(column, tile.cols()));
    });
  }
  std::vector<Vector> sums(static_cast<std::size_t>(threads_), Vector::Zero(n));
  sweep(set, all_kernels(n), threads_, [&](Index part, Index k, Index row, Index column, const auto& tile) {
    Vector& sum = sums[static_cast<std::size_t>(part)];
    sum.segment(row, tile.rows()).noalias() += weights(k) * (tile * v.segment(column, tile.cols()));
    if (row != column)
      sum.segment(column, tile.cols()).noalias() += weights(k) * (tile.transpose() * v.segment(row, tile.rows()));
  });
  for (const Vector& sum : sums) out += sum;
}

void OnTheFlyBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  // Rows with v_i = 0 contribute nothing: only the others are computed.
  const std::vector<Index> support = support_of(v);
  const Vector w = v(support);
  auto forms = out.head(static_cast<Index>(set.size()));
  Matrix sums = Matrix::Zero(forms.size(), threads_);
  sweep(set, support, threads_, [&](Index part, Index k, Index row, Index column, const auto& tile) {
    const double form = w.segment(row, tile.rows()).dot(tile * w.segment(column, tile.cols()));
    sums(k, part) += row == column ? form : 2 * form;
  });
  forms = sums.rowwise().sum().cwiseMax(0.0);
}

void OnTheFlyBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  // A strip of columns belongs to one part for each kernel; kernels go one after the other.
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k)
    sweep(set.subspan(static_cast<std::size_t>(k), 1), all_kernels(n_samples()), threads_,
          [&](Index, Index, Index row, Index column, const auto& tile) {
            auto block = A.block(row, column, tile.rows(), tile.cols());
            if (row == column) block.template triangularView<Eigen::Lower>() += weights(k) * tile;
            else block += weights(k) * tile;
          });
}

void OnTheFlyBank::weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  out.setZero();
  sweep_columns(set, {i}, [&](Index k, Index row, Index, const auto& tile) {
    out.segment(row, tile.rows()) += weights(k) * tile.col(0);
  });
}

void OnTheFlyBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k)
    out += weights(k) * fitted(set[static_cast<std::size_t>(k)]).training_diagonal(*training_);
}

std::shared_ptr<const KernelBank> OnTheFlyBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<FittedKernel> kernels;
  for (const FittedKernel& kernel : kernels_) kernels.push_back(kernel.on_rows(rows));
  return std::make_shared<OnTheFlyBank>(std::make_shared<const Samples>(select_rows(*training_, rows)),
                                        std::move(kernels), subset_bytes_, threads_, watch(), work_bytes());
}

Index OnTheFlyBank::quick_subset() const {
  const double gram_bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(n_samples());
  // One more is the matrix of the Newton systems over them.
  return static_cast<Index>(std::clamp(subset_bytes_ / gram_bytes - 1, 0.0, static_cast<double>(n_kernels())));
}

std::shared_ptr<const KernelBank> OnTheFlyBank::subset(std::vector<Index> kernels, const KernelBank* previous) const {
  if (static_cast<Index>(kernels.size()) > quick_subset()) return KernelBank::subset(std::move(kernels), previous);
  return MaterializedBank::of(*this, std::move(kernels), dynamic_cast<const MaterializedBank*>(previous));
}

std::vector<BankUse> OnTheFlyBank::use() const {
  return {{"on the fly", n_kernels(), sizeof(double) * static_cast<double>(training_->values.size())}};
}

}  // namespace spicymkl
