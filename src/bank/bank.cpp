#include "spicymkl/bank/bank.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/blas.hpp"
#include "spicymkl/bank/forwarding_bank.hpp"

namespace spicymkl {

namespace {

constexpr Index kBlock = 64;  // kernels, or columns, that are asked for at a time where the whole may be large

}  // namespace

bool KernelBank::has_room_for(double n_matrices) const {
  constexpr Index kSmall = 500;  // 2 MB
  const auto n = static_cast<double>(n_samples());
  return n_samples() <= kSmall || n_matrices * sizeof(double) * n * n <= work_bytes();
}

void KernelBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const Index count = std::ssize(set), width = V.cols();
  Matrix images(n_samples(), std::min(kBlock, count) * width);
  for (Index first = 0; first < count; first += kBlock) {
    const Index size = std::min(kBlock, count - first);
    products(set.subspan(first, size), V, images.leftCols(size * width));
    for (Index k = 0; k < size; ++k)
      for (Index p = 0; p < width; ++p) out(first + k, p) = std::max(V.col(p).dot(images.col(k * width + p)), 0.0);
  }
}

void KernelBank::joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const {
  Matrix each(std::ssize(set), V.cols());
  quadratic_forms(set, V, each);
  for (Index p = 0; p < out.cols(); ++p) out.col(p) = each.middleCols(p * together, together).rowwise().sum();
}

void KernelBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  if (V.cols() > 1 && sums() != nullptr && has_room_for(1)) {  // kernels are added up once for all columns
    Matrix sum = Matrix::Zero(n_samples(), n_samples());
    sums()->add_sum(set, weights, sum);
    parallel_for(V.cols(), threads(), static_cast<double>(sum.size()), [&](Index begin, Index end) {
      blas::symmetric_product(sum, V.middleCols(begin, end - begin), out.middleCols(begin, end - begin));
    });
    return;
  }
  Matrix images(n_samples(), std::ssize(set) * V.cols());
  products(set, V, images);
  // The images of one kernel, one below the other, are one column of a matrix.
  const Vector sum = Eigen::Map<const Matrix>(images.data(), V.size(), std::ssize(set)) * weights;
  out = Eigen::Map<const Matrix>(sum.data(), V.rows(), V.cols());
}

KernelSubsets KernelBank::subsets() const {
  return {n_kernels(),
          [this](std::vector<Index> kernels) { return std::make_shared<ForwardingBank>(*this, std::move(kernels)); }};
}

std::string KernelBank::name(Index kernel) const { return fmt::format("k{}", kernel); }

bool KernelBank::exact() const {
  for (Index m = 0; m < n_kernels(); ++m)
    if (missing_trace(m) > 0) return false;
  return true;
}

void KernelBank::weighted_column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  if (columns() != nullptr) columns()->column(set, weights, i, out);
  else weighted_product(set, weights, Vector::Unit(n_samples(), i), out);
}

void KernelSums::add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const {
  Matrix sum = Matrix::Zero(A.rows(), A.cols());
  add_sum(set, weights, sum);
  A += sum.cast<float>();
}

void KernelBank::add_weighted_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  if (sums() != nullptr) return sums()->add_sum(set, weights, A);
  const Index n = n_samples();
  Matrix sum(n, std::min(kBlock, n));
  for (Index first = 0; first < n; first += kBlock) {
    const Index width = std::min(kBlock, n - first);
    weighted_product(set, weights, Matrix::Identity(n, n).middleCols(first, width), sum.leftCols(width));
    for (Index j = 0; j < width; ++j) A.col(first + j).tail(n - first - j) += sum.col(j).tail(n - first - j);
  }
}

}  // namespace spicymkl
