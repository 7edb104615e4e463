#include "spicymkl/bank/on_the_fly_bank.hpp"

#include <algorithm>
#include <map>

#include "materialized_bank.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr Index kTile = 128;       // base values and one mapped copy stay in the second-level cache
constexpr Index kSliceLength = 8;  // kernels of a family that share one sweep over the base values

/// Positions of a set, kernels of one family, at most kSliceLength of them.
using Slice = std::vector<Index>;

std::vector<Slice> slices_of(KernelSet set, const std::vector<Index>& family) {
  std::map<Index, std::vector<Index>> by_family;
  for (std::size_t k = 0; k < set.size(); ++k)
    by_family[family[static_cast<std::size_t>(set[k])]].push_back(static_cast<Index>(k));
  std::vector<Slice> slices;
  for (const auto& [key, positions] : by_family)
    for (std::size_t first = 0; first < positions.size(); first += kSliceLength)
      slices.emplace_back(
          positions.begin() + static_cast<std::ptrdiff_t>(first),
          positions.begin() + static_cast<std::ptrdiff_t>(std::min(positions.size(), first + kSliceLength)));
  return slices;
}

ConstVectorRef part(const Vector& terms, Index first, Index size) {
  return terms.size() == 0 ? ConstVectorRef(terms) : ConstVectorRef(terms.segment(first, size));
}

/// Calls visit(k, row, column, tile) for each kernel k of a slice and each tile of the lower triangle of its Gram
/// matrix on these rows: tile(i, j) is entry (row + i, column + j). On the diagonal the tile is complete, jitter
/// included.
template <class Visit>
void for_each_tile(const std::vector<const FittedKernel*>& kernels, const Samples& rows,
                   const std::vector<Vector>& terms, const Visit& visit) {
  const Points points = kernels.front()->points(rows);
  const Index n = rows.n_rows();
  Matrix base_buffer(kTile, kTile), tile_buffer(kTile, kTile);
  for (Index column = 0; column < n; column += kTile) {
    for (Index row = column; row < n; row += kTile) {
      const Index height = std::min(kTile, n - row), width = std::min(kTile, n - column);
      auto base = base_buffer.topLeftCorner(height, width);
      auto tile = tile_buffer.topLeftCorner(height, width);
      base_block(points, row, points, column, base);
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        tile = base;
        kernels[k]->finish(tile, part(terms[k], row, height), part(terms[k], column, width));
        if (row == column)
          for (Index j = 0; j < width; ++j)
            tile(j, j) += kernels[k]->scaled_jitter(terms[k].size() == 0 ? 1 : terms[k](column + j));
        visit(k, row, column, tile);
      }
    }
  }
}

}  // namespace

OnTheFlyBank::OnTheFlyBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels,
                           double subset_bytes, int threads)
    : training_(std::move(training)),
      kernels_(std::move(kernels)),
      subset_bytes_(subset_bytes),
      threads_(resolve_threads(threads)),
      traces_(static_cast<Index>(kernels_.size())) {
  std::map<std::pair<Base, std::vector<Index>>, Index> families;
  for (const FittedKernel& kernel : kernels_)
    family_.push_back(
        families.emplace(std::pair(kernel.base(), kernel.spec().columns), static_cast<Index>(families.size()))
            .first->second);
  parallel_for(n_kernels(), threads_, 10 * static_cast<double>(n_samples()), [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) traces_(m) = fitted(m).diagonal(*training_, *training_, 1).sum();
  });
}

namespace {

/// Work of a pass over one kernel, for parallel_for: base and exp cost more than the product itself.
double pass_cost(Index n) { return 10 * static_cast<double>(n) * static_cast<double>(n); }

}  // namespace

template <class Visit>
void OnTheFlyBank::sweep(KernelSet set, const std::vector<Index>& rows, const Visit& visit) const {
  const Samples chosen = select_rows(*training_, rows);
  const std::vector<Slice> slices = slices_of(set, family_);
  parallel_for(static_cast<Index>(slices.size()), threads_, pass_cost(chosen.n_rows()), [&](Index begin, Index end) {
    for (Index s = begin; s < end; ++s) {
      const Slice& slice = slices[static_cast<std::size_t>(s)];
      std::vector<const FittedKernel*> kernels;
      std::vector<Vector> terms;
      for (const Index k : slice) {
        kernels.push_back(&fitted(set[static_cast<std::size_t>(k)]));
        const Vector all = kernels.back()->training_terms(*training_);
        terms.push_back(all.size() == 0 ? all : Vector(all(rows)));
      }
      for_each_tile(kernels, chosen, terms, [&](std::size_t k, Index row, Index column, const auto& tile) {
        visit(slice[k], row, column, tile);
      });
    }
  });
}

void OnTheFlyBank::products(KernelSet set, ConstVectorRef v, MatrixRef out) const {
  out.leftCols(static_cast<Index>(set.size())).setZero();
  sweep(set, all_kernels(n_samples()), [&](Index k, Index row, Index column, const auto& tile) {
    auto result = out.col(k);
    result.segment(row, tile.rows()).noalias() += tile * v.segment(column, tile.cols());
    if (row != column) result.segment(column, tile.cols()).noalias() += tile.transpose() * v.segment(row, tile.rows());
  });
}

void OnTheFlyBank::quadratic_forms(KernelSet set, ConstVectorRef v, VectorRef out) const {
  // Rows with v_i = 0 contribute nothing: only the others are computed.
  std::vector<Index> support;
  for (Index i = 0; i < v.size(); ++i)
    if (v(i) != 0) support.push_back(i);
  const Vector w = v(support);
  auto forms = out.head(static_cast<Index>(set.size()));
  forms.setZero();
  sweep(set, support, [&](Index k, Index row, Index column, const auto& tile) {
    const double form = w.segment(row, tile.rows()).dot(tile * w.segment(column, tile.cols()));
    forms(k) += row == column ? form : 2 * form;
  });
  forms = forms.cwiseMax(0.0);
}

void OnTheFlyBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  for (Index k = 0; k < static_cast<Index>(set.size()); ++k) {
    Matrix gram(n_samples(), n_samples());
    fitted(set[static_cast<std::size_t>(k)]).gram(*training_, gram, threads_);
    A.triangularView<Eigen::Lower>() += weights(k) * gram;
  }
}

std::shared_ptr<const KernelBank> OnTheFlyBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<FittedKernel> kernels;
  for (const FittedKernel& kernel : kernels_) kernels.push_back(kernel.on_rows(rows));
  return std::make_shared<OnTheFlyBank>(std::make_shared<const Samples>(select_rows(*training_, rows)),
                                        std::move(kernels), subset_bytes_, threads_);
}

std::shared_ptr<const KernelBank> OnTheFlyBank::subset(std::vector<Index> kernels, const KernelBank* previous) const {
  const double gram_bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(n_samples());
  if (static_cast<double>(kernels.size()) * gram_bytes > subset_bytes_)
    return KernelBank::subset(std::move(kernels), previous);
  return MaterializedBank::of(*this, std::move(kernels), dynamic_cast<const MaterializedBank*>(previous));
}

std::vector<BankUse> OnTheFlyBank::use() const {
  return {{"on the fly", n_kernels(), sizeof(double) * static_cast<double>(training_->values.size())}};
}

}  // namespace spicymkl
