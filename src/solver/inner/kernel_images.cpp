#include "kernel_images.hpp"

#include "core/row_sums.hpp"

namespace spicymkl {

namespace {

constexpr Index kManyOutputs = 3;  // from which on a product costs clearly more than a form

}  // namespace

KernelImages::KernelImages(const KernelBank& bank, std::vector<Index> candidates)
    : bank_(bank),
      candidates_(std::move(candidates)),
      selective_(bank.n_outputs() >= kManyOutputs),
      column_(candidates_.size(), -1),
      points_(bank.n_samples(), n_candidates()),
      directions_(bank.n_samples(), n_candidates()) {
  held_.reserve(candidates_.size());
  kernels_.reserve(candidates_.size());
}

std::vector<Index> KernelImages::others() const {
  std::vector<Index> positions;
  for (Index k = 0; k < n_candidates(); ++k)
    if (!holds(k)) positions.push_back(k);
  return positions;
}

std::vector<Index> KernelImages::kernels(const std::vector<Index>& positions) const {
  std::vector<Index> kernels;
  for (const Index k : positions) kernels.push_back(kernel(k));
  return kernels;
}

void KernelImages::hold(Index position) {
  column_[position] = std::ssize(held_);
  held_.push_back(position);
  kernels_.push_back(kernel(position));
}

void KernelImages::place(const std::vector<Index>& positions, ConstVectorRef rho) {
  std::fill(column_.begin(), column_.end(), Index{-1});
  held_.clear();
  kernels_.clear();
  for (const Index k : positions) hold(k);
  bank_.products(kernels_, rho, points_.leftCols(std::ssize(held_)));
}

void KernelImages::prepare_line(ConstVectorRef direction) {
  bank_.products(kernels_, direction, directions_.leftCols(std::ssize(held_)));
}

void KernelImages::join(const std::vector<Index>& positions, ConstVectorRef rho, ConstVectorRef direction) {
  const Index first = std::ssize(held_), count = std::ssize(positions);
  for (const Index k : positions) hold(k);
  const KernelSet joined = KernelSet(kernels_).subspan(first, count);
  bank_.products(joined, rho, points_.middleCols(first, count));
  bank_.products(joined, direction, directions_.middleCols(first, count));
}

void KernelImages::move(double c) {
  const double cost = kFromMemory * static_cast<double>(std::ssize(held_));
  parallel_for(points_.rows(), bank_.threads(), cost, [&](Index begin, Index end) {
    for (Index k = 0; k < std::ssize(held_); ++k)
      points_.col(k).segment(begin, end - begin) += c * directions_.col(k).segment(begin, end - begin);
  });
}

void KernelImages::scale(double c) { points_.leftCols(std::ssize(held_)) *= c; }

void KernelImages::release(Index position) {
  const Index column = column_[position], last = std::ssize(held_) - 1;
  if (column != last) {
    points_.col(column) = points_.col(last);
    held_[column] = held_[last];
    kernels_[column] = kernels_[last];
    column_[held_[column]] = column;
  }
  column_[position] = -1;
  held_.pop_back();
  kernels_.pop_back();
}

}  // namespace spicymkl
