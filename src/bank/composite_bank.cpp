#include "composite_bank.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

/// What is true of one part, that it is on a device say, is true of all of them together.
BankShape shape_of(const std::vector<std::shared_ptr<const KernelBank>>& parts, Index n_kernels, double work_bytes) {
  BankShape shape = parts.front()->shape();
  shape.n_kernels = n_kernels;
  shape.work_bytes = work_bytes;
  for (const auto& part : parts) {
    shape.one_at_a_time = shape.one_at_a_time || part->shape().one_at_a_time;
    if (shape.computed_on == BankShape().computed_on) shape.computed_on = part->shape().computed_on;
  }
  return shape;
}

}  // namespace

CompositeBank::CompositeBank(std::vector<std::shared_ptr<const KernelBank>> parts, std::vector<Place> places,
                             double work_bytes)
    : KernelBank(shape_of(parts, std::ssize(places), work_bytes)),
      parts_(std::move(parts)),
      places_(std::move(places)) {}

std::vector<CompositeBank::Share> CompositeBank::shares(KernelSet set) const {
  std::vector<Share> shares;
  for (const auto& part : parts_) shares.push_back({part.get(), {}, {}});
  for (Index k = 0; k < std::ssize(set); ++k) {
    shares[place(set[k]).part].kernels.push_back(place(set[k]).kernel);
    shares[place(set[k]).part].positions.push_back(k);
  }
  std::erase_if(shares, [](const Share& share) { return share.kernels.empty(); });
  return shares;
}

void CompositeBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  const Index width = V.cols();
  for (const Share& share : shares(set)) {
    Matrix images(n_samples(), share.size() * width);
    share.bank->products(share.kernels, V, images);
    for (Index k = 0; k < share.size(); ++k)
      out.middleCols(share.positions[k] * width, width) = images.middleCols(k * width, width);
  }
}

void CompositeBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  for (const Share& share : shares(set)) {
    Matrix forms(share.size(), V.cols());
    share.bank->quadratic_forms(share.kernels, V, forms);
    out(share.positions, Eigen::all) = forms;
  }
}

void CompositeBank::joint_forms(KernelSet set, ConstMatrixRef V, Index together, MatrixRef out) const {
  for (const Share& share : shares(set)) {
    Matrix forms(share.size(), out.cols());
    share.bank->joint_forms(share.kernels, V, together, forms);
    out(share.positions, Eigen::all) = forms;
  }
}

template <class Ask>
void CompositeBank::add_up(KernelSet set, ConstVectorRef weights, MatrixRef out, const Ask& ask) const {
  Matrix part(n_samples(), out.cols());
  out.setZero();
  for (const Share& share : shares(set)) {
    ask(share, Vector(weights(share.positions)), part);
    out += part;
  }
}

void CompositeBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  add_up(set, weights, out, [&](const Share& share, const Vector& w, Matrix& part) {
    share.bank->weighted_product(share.kernels, w, V, part);
  });
}

void CompositeBank::rough_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  add_up(set, weights, out, [&](const Share& share, const Vector& w, Matrix& part) {
    if (const KernelFactors* factors = share.bank->factors()) factors->rough_product(share.kernels, w, V, part);
    else share.bank->weighted_product(share.kernels, w, V, part);
  });
}

void CompositeBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  add_up(set, weights, out, [&](const Share& share, const Vector& w, Matrix& part) {
    share.bank->weighted_diagonal(share.kernels, w, part.col(0));
  });
}

void CompositeBank::column(KernelSet set, ConstVectorRef weights, Index i, VectorRef out) const {
  add_up(set, weights, out, [&](const Share& share, const Vector& w, Matrix& part) {
    share.bank->weighted_column(share.kernels, w, i, part.col(0));
  });
}

const KernelColumns* CompositeBank::columns() const {
  return std::ranges::all_of(parts_, [](const auto& part) { return part->columns(); }) ? this : nullptr;
}

const KernelSums* CompositeBank::sums() const {
  return std::ranges::all_of(parts_, [](const auto& part) { return part->sums(); }) ? this : nullptr;
}

void CompositeBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  for (const Share& share : shares(set)) share.bank->add_weighted_sum(share.kernels, weights(share.positions), A);
}

void CompositeBank::add_rough_sum(KernelSet set, ConstVectorRef weights, RoughMatrix& A) const {
  for (const Share& share : shares(set)) share.bank->sums()->add_rough_sum(share.kernels, weights(share.positions), A);
}

bool CompositeBank::has_quick_rough_sums() const {
  return std::ranges::all_of(parts_, [](const auto& part) { return part->sums()->has_quick_rough_sums(); });
}

void CompositeBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  Index first = 0;
  for (const Share& share : shares(set)) {
    Index width = 0;
    for (const Index kernel : share.kernels) width += share.bank->rank(kernel);
    share.bank->factors()->weighted_factor(share.kernels, weights(share.positions), columns.middleCols(first, width));
    first += width;
  }
}

std::shared_ptr<const KernelBank> CompositeBank::on_samples(const std::vector<Index>& rows) const {
  std::vector<std::shared_ptr<const KernelBank>> parts;
  for (const auto& part : parts_) {
    parts.push_back(part->on_samples(rows));
    if (parts.back() == nullptr) return nullptr;
  }
  return std::make_shared<CompositeBank>(std::move(parts), places_, work_bytes());
}

std::shared_ptr<const KernelBank> CompositeBank::subset_of(KernelSet kernels,
                                                           const std::vector<KernelSubsets>& of_parts) const {
  if (kernels.empty()) return KernelBank::subsets().of({});
  std::vector<std::shared_ptr<const KernelBank>> parts;
  std::vector<Place> places(kernels.size());
  for (const Share& share : shares(kernels)) {
    for (Index k = 0; k < share.size(); ++k) places[share.positions[k]] = {std::ssize(parts), k};
    parts.push_back(of_parts[place(kernels[share.positions.front()]).part].of(share.kernels));
  }
  return std::make_shared<CompositeBank>(std::move(parts), std::move(places), work_bytes());
}

KernelSubsets CompositeBank::subsets() const {
  Index quick_size = n_kernels();
  bool columns = true;
  std::vector<KernelSubsets> of_parts;
  for (const auto& part : parts_) {
    of_parts.push_back(part->subsets());
    columns = columns && of_parts.back().columns;
    if (of_parts.back().quick_size < part->n_kernels()) quick_size = std::min(quick_size, of_parts.back().quick_size);
  }
  return {quick_size,
          [this, of_parts = std::move(of_parts)](const std::vector<Index>& kernels) {
            return subset_of(kernels, of_parts);
          },
          columns};
}

std::vector<BankUse> CompositeBank::use() const {
  std::vector<BankUse> all;
  for (const auto& part : parts_)
    for (BankUse& use : part->use()) all.push_back(std::move(use));
  return all;
}

}  // namespace spicymkl
