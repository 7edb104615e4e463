#include "on_the_fly_bank.hpp"

#include <algorithm>

#include "core/blas.hpp"
#include "kernel/tiles.hpp"
#include "spicymkl/bank/stored_bank.hpp"
#include "support.hpp"

namespace spicymkl {

namespace {

constexpr double kFewComputed = 0.5;      // of a symmetric matrix: to compute whole columns pays when they are fewer
constexpr double kMostPartial = 0x1p28;   // bytes of sums that the parts of a sweep keep for themselves
constexpr double kWorthShowing = 0x1p33;  // entries of a sweep from which on it takes seconds

/// So many entries are going to be computed: shown where that takes long.
WatchedTask task_of(const Watch& watch, double entries, Index steps) {
  return {entries >= kWorthShowing ? watch : Watch(), "a pass over kernels that are not stored", steps};
}

/// As many parts as threads, where there is room for the sums of so many numbers that each keeps.
Index parts_with(double numbers, int threads) {
  const double most = std::max(1.0, kMostPartial / (sizeof(double) * std::max(1.0, numbers)));
  return static_cast<Index>(std::min(static_cast<double>(threads), most));
}

/// Calls work(V) with one column as a vector, which Eigen treats as such.
template <class Work>
void as_narrow_as_it_is(ConstMatrixRef V, const Work& work) {
  if (V.cols() == 1) work(V.col(0));
  else work(V);
}

}  // namespace

OnTheFlyBank::OnTheFlyBank(std::shared_ptr<const Samples> training, std::vector<FittedKernel> kernels,
                           double subset_bytes, int threads, Watch watch, double work_bytes)
    : KernelBank({training->n_rows(), std::ssize(kernels), threads, std::move(watch), work_bytes}),
      training_(std::move(training)),
      kernels_(std::move(kernels)),
      family_(families_of(kernels_)),
      subset_bytes_(subset_bytes),
      traces_(n_kernels()) {
  parallel_for(n_kernels(), this->threads(), 10 * static_cast<double>(n_samples()), [&](Index begin, Index end) {
    for (Index m = begin; m < end; ++m) traces_(m) = kernels_[m].training_diagonal(*training_).sum();
  });
}

std::vector<const FittedKernel*> OnTheFlyBank::members(KernelSet set) const {
  std::vector<const FittedKernel*> members;
  for (const Index kernel : set) members.push_back(&kernels_[kernel]);
  return members;
}

std::vector<Index> OnTheFlyBank::families(KernelSet set) const {
  std::vector<Index> families;
  for (const Index kernel : set) families.push_back(family_[kernel]);
  return families;
}

template <class Visit>
void OnTheFlyBank::sweep(KernelSet set, const std::vector<Index>& rows, Index parts, const Visit& visit) const {
  const Samples chosen = rows.empty() ? Samples() : select_rows(*training_, rows);
  const TrainingRows taken{rows.empty() ? *training_ : chosen, rows};
  const auto n = static_cast<double>(taken.samples.n_rows());
  StopCheck stop(watch());
  WatchedTask task = task_of(watch(), n * n / 2 * static_cast<double>(set.size()),
                             std::ssize(members_of(families(set))) * n_triangle_tiles(taken.samples.n_rows()));
  sweep_triangles(members(set), families(set), *training_, taken, {parts, threads(), stop}, visit,
                  [&](Index, bool) { task.advance(); });
  stop.finish();
}

template <class Visit>
void OnTheFlyBank::sweep_columns(KernelSet set, const std::vector<Index>& support, const Visit& visit) const {
  const Samples chosen = select_rows(*training_, support);
  const Index n = n_samples(), width = chosen.n_rows(), strips = n_tiles(n);
  const std::vector<std::vector<Index>> together = members_of(families(set));
  const double entries = static_cast<double>(n) * static_cast<double>(width) * static_cast<double>(set.size());
  StopCheck stop(watch());
  WatchedTask task = task_of(watch(), entries, std::ssize(together) * strips);
  for (const std::vector<Index>& family : together) {
    std::vector<Index> kernels;
    for (const Index k : family) kernels.push_back(set[k]);
    parallel_for(strips, threads(), kEntryWork * entries / static_cast<double>(strips), [&](Index begin, Index end) {
      FamilyTiles tiles(members(kernels), *training_, {*training_, {}}, {chosen, support});
      for (Index row = begin * kTile; row < std::min(end * kTile, n); row += kTile) {
        for (Index column = 0; column < width && !stop.skip(); column += kTile)
          tiles.compute(row, column, [&](std::size_t k, Index at_row, Index at_column, const auto& tile) {
            visit(family[k], at_row, at_column, tile);
          });
        task.advance();
      }
    });
    stop.finish();
  }
}

void OnTheFlyBank::add_products(KernelSet set, ConstVectorRef factors, bool together, ConstMatrixRef V,
                                MatrixRef out) const {
  const Index n = n_samples(), width = V.cols();
  const auto block = [&](auto& sums, Index k) { return sums.middleCols(together ? 0 : k * width, width); };
  if (const std::vector<Index> support = support_of(V);
      static_cast<double>(support.size()) < kFewComputed * static_cast<double>(n)) {
    const Matrix few = V(support, Eigen::all);
    return as_narrow_as_it_is(few, [&](const auto& w) {
      sweep_columns(set, support, [&](Index k, Index row, Index column, const auto& tile) {
        block(out, k).middleRows(row, tile.rows()).noalias() += factors(k) * (tile * w.middleRows(column, tile.cols()));
      });
    });
  }
  // Both halves of a tile are used, so that parts meet in the same rows: each has sums of its own.
  const Index parts = parts_with(static_cast<double>(n) * static_cast<double>(out.cols()), threads());
  std::vector<Matrix> sums(parts, Matrix::Zero(n, out.cols()));
  as_narrow_as_it_is(V, [&](const auto& v) {
    sweep(set, {}, parts, [&](Index part, Index k, Index row, Index column, const auto& tile) {
      auto sum = block(sums[part], k);
      sum.middleRows(row, tile.rows()).noalias() += factors(k) * (tile * v.middleRows(column, tile.cols()));
      if (row != column)
        sum.middleRows(column, tile.cols()).noalias() +=
            factors(k) * (tile.transpose() * v.middleRows(row, tile.rows()));
    });
  });
  for (const Matrix& sum : sums) out += sum;
}

void OnTheFlyBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  auto all = out.leftCols(std::ssize(set) * V.cols());
  all.setZero();
  add_products(set, Vector::Ones(std::ssize(set)), false, V, all);
}

void OnTheFlyBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  out.setZero();
  add_products(set, weights, true, V, out);
}

void OnTheFlyBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  // Rows of zeros contribute nothing: only the others are computed.
  const std::vector<Index> support = support_of(V);
  const Index count = std::ssize(set), width = V.cols();
  const Matrix few = V(support, Eigen::all);
  const Index parts = parts_with(static_cast<double>(count) * static_cast<double>(width), threads());
  std::vector<Matrix> sums(parts, Matrix::Zero(count, width));
  if (!support.empty())
    as_narrow_as_it_is(few, [&](const auto& w) {
      sweep(set, support, parts, [&](Index part, Index k, Index row, Index column, const auto& tile) {
        const auto images = (tile * w.middleRows(column, tile.cols())).eval();
        for (Index p = 0; p < width; ++p) {
          const double form = w.col(p).segment(row, tile.rows()).dot(images.col(p));
          sums[part](k, p) += row == column ? form : 2 * form;
        }
      });
    });
  out.topRows(count).setZero();
  for (const Matrix& sum : sums) out.topRows(count) += sum;
  out.topRows(count) = out.topRows(count).cwiseMax(0.0);
}

void OnTheFlyBank::joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const {
  const std::vector<Index> support = support_of(V);
  const Index count = std::ssize(set), size = std::ssize(support);
  if (together < kWorthOuterProduct || support.empty() || !has_room_for(static_cast<double>(out.cols())))
    return KernelBank::joint_forms(set, V, together, out);
  std::vector<Matrix> outer(static_cast<std::size_t>(out.cols()), Matrix(size, size));
  for (Index p = 0; p < out.cols(); ++p) {
    const Matrix few = V(support, Eigen::seqN(p * together, together));
    blas::outer_products(few, outer[p], threads());
    outer[p].triangularView<Eigen::StrictlyUpper>() = outer[p].transpose();
  }
  const Index parts = parts_with(static_cast<double>(count * out.cols()), threads());
  std::vector<Matrix> sums(parts, Matrix::Zero(count, out.cols()));
  sweep(set, support, parts, [&](Index part, Index k, Index row, Index column, const auto& tile) {
    for (Index p = 0; p < out.cols(); ++p) {
      const double form = tile.cwiseProduct(outer[p].block(row, column, tile.rows(), tile.cols())).sum();
      sums[part](k, p) += row == column ? form : 2 * form;
    }
  });
  out.topRows(count).setZero();
  for (const Matrix& sum : sums) out.topRows(count) += sum;
  out.topRows(count) = out.topRows(count).cwiseMax(0.0);
}

void OnTheFlyBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  for (Index k = 0; k < std::ssize(set); ++k) out += weights(k) * kernels_[set[k]].training_diagonal(*training_);
}

void OnTheFlyBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  // A strip of columns belongs to one part for each kernel; kernels go one after the other.
  for (Index k = 0; k < std::ssize(set); ++k)
    sweep(set.subspan(k, 1), {}, threads(), [&](Index, Index, Index row, Index column, const auto& tile) {
      auto block = A.block(row, column, tile.rows(), tile.cols());
      if (row == column) block.template triangularView<Eigen::Lower>() += weights(k) * tile;
      else block += weights(k) * tile;
    });
}

std::shared_ptr<const KernelBank> OnTheFlyBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<FittedKernel> kernels;
  for (const FittedKernel& kernel : kernels_) kernels.push_back(kernel.on_rows(rows));
  return std::make_shared<OnTheFlyBank>(std::make_shared<const Samples>(select_rows(*training_, rows)),
                                        std::move(kernels), subset_bytes_, threads(), watch(), work_bytes());
}

std::shared_ptr<const KernelBank> OnTheFlyBank::stored(const std::vector<Index>& kernels, Grams& kept) const {
  Grams grams;
  std::vector<Index> missing;
  std::vector<std::shared_ptr<Matrix>> targets;
  for (const Index kernel : kernels) {
    if (const auto found = kept.find(kernel); found != kept.end()) {
      grams.insert(*found);
      continue;
    }
    missing.push_back(kernel);
    targets.push_back(std::make_shared<Matrix>(n_samples(), n_samples()));
    grams[kernel] = targets.back();
  }
  fill_grams(members(missing), families(missing), *training_, threads(), watch(),
             [&](Index m) { return MatrixRef(*targets[m]); });
  kept = std::move(grams);
  std::vector<const double*> pointers;
  std::vector<std::string> names;
  for (const Index kernel : kernels) {
    pointers.push_back(kept[kernel]->data());
    names.push_back(name(kernel));
  }
  return std::make_shared<DenseBank>(std::move(pointers), n_samples(), std::move(names), threads(),
                                     std::make_shared<const Grams>(kept), watch());
}

KernelSubsets OnTheFlyBank::subsets() const {
  const double gram_bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(n_samples());
  // One more is the matrix of the Newton systems over them.
  const double room = std::clamp(subset_bytes_ / gram_bytes - 1, 0.0, static_cast<double>(n_kernels()));
  const auto quick_size = static_cast<Index>(room);
  return {quick_size,
          [this, quick_size,
           kept = Grams()](const std::vector<Index>& kernels) mutable -> std::shared_ptr<const KernelBank> {
            if (!kernels.empty() && std::ssize(kernels) <= quick_size) return stored(kernels, kept);
            kept.clear();
            return KernelBank::subsets().of(kernels);
          }};
}

std::vector<BankUse> OnTheFlyBank::use() const {
  return {{"on the fly", n_kernels(), sizeof(double) * static_cast<double>(training_->values.size())}};
}

}  // namespace spicymkl
