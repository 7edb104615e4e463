#include "spicymkl/bank/on_the_fly_bank.hpp"

#include <algorithm>

#include "materialized_bank.hpp"
#include "spicymkl/core/parallel.hpp"
#include "tiles.hpp"

namespace spicymkl {

OnTheFlyBank::OnTheFlyBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels,
                           double subset_bytes, int threads)
    : training_(std::move(training)),
      kernels_(std::move(kernels)),
      subset_bytes_(subset_bytes),
      threads_(resolve_threads(threads)),
      traces_(static_cast<Index>(kernels_.size())) {
  family_ = families_of(kernels_);
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
      SlicedKernels sliced;
      for (const Index k : slice) {
        sliced.kernels.push_back(&fitted(set[static_cast<std::size_t>(k)]));
        const Vector all = sliced.kernels.back()->training_terms(*training_);
        sliced.terms.push_back(all.size() == 0 ? all : Vector(all(rows)));
      }
      const Points points = sliced.kernels.front()->points(chosen);
      for (Index column = 0; column < chosen.n_rows(); column += kTile)
        for_each_tile_of_strip(
            sliced, points, chosen.n_rows(), column,
            [&](std::size_t k, Index row, Index at, const auto& tile) { visit(slice[k], row, at, tile); });
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

Index OnTheFlyBank::quick_subset() const {
  const double gram_bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(n_samples());
  return static_cast<Index>(std::min(subset_bytes_ / gram_bytes, static_cast<double>(n_kernels())));
}

std::shared_ptr<const KernelBank> OnTheFlyBank::subset(std::vector<Index> kernels, const KernelBank* previous) const {
  if (static_cast<Index>(kernels.size()) > quick_subset()) return KernelBank::subset(std::move(kernels), previous);
  return MaterializedBank::of(*this, std::move(kernels), dynamic_cast<const MaterializedBank*>(previous));
}

std::vector<BankUse> OnTheFlyBank::use() const {
  return {{"on the fly", n_kernels(), sizeof(double) * static_cast<double>(training_->values.size())}};
}

}  // namespace spicymkl
