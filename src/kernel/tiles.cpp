#include "tiles.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/machine_speed.hpp"

namespace spicymkl {

namespace {

RowTerms terms_of(const FittedKernel& kernel, const Samples& training, std::span<const Index> numbers) {
  RowTerms all = kernel.training_terms(training);
  return numbers.empty() ? all : all.at(numbers);
}

}  // namespace

FamilyBases::FamilyBases(const std::vector<const FittedKernel*>& kernels) {
  for (const FittedKernel* kernel : kernels) {
    const auto known = std::find(bases.begin(), bases.end(), kernel->base());
    of_kernel.push_back(known - bases.begin());
    if (known == bases.end()) bases.push_back(kernel->base());
  }
}

Base FamilyBases::most_demanding() const {
  const auto cosine = std::find(bases.begin(), bases.end(), Base::cosine);
  return cosine == bases.end() ? bases.front() : Base::cosine;
}

std::vector<Index> families_of(const std::vector<FittedKernel>& kernels) {
  std::map<std::pair<Base, std::vector<Index>>, Index> numbers;
  std::vector<Index> family;
  for (const FittedKernel& kernel : kernels) {
    const std::vector<Index>& columns = kernel.spec().columns;
    const Base base = family_base(kernel.base(), std::ssize(columns));
    family.push_back(numbers.emplace(std::pair(base, columns), std::ssize(numbers)).first->second);
  }
  return family;
}

std::vector<std::vector<Index>> members_of(const std::vector<Index>& family) {
  std::map<Index, std::vector<Index>> by_family;
  for (Index k = 0; k < std::ssize(family); ++k) by_family[family[k]].push_back(k);
  std::vector<std::vector<Index>> members;
  for (auto& [number, positions] : by_family) members.push_back(std::move(positions));
  return members;
}

double tile_cost(const std::vector<const FittedKernel*>& family) {
  const FittedKernel& any = *family.front();
  return kBaseColumn * static_cast<double>(any.spec().columns.size()) + kMapping * static_cast<double>(family.size());
}

TileShares::TileShares(std::vector<double> costs, Index n_tiles, Index parts)
    : costs_(std::move(costs)), n_tiles_(n_tiles), parts_(parts) {
  for (const double cost : costs_) {
    before_.push_back(total_);
    total_ += static_cast<double>(n_tiles) * cost;
  }
}

Index TileShares::first(std::size_t family, Index part) const {
  if (part == 0) return 0;
  if (part == parts_) return n_tiles_;
  const double earlier = total_ * static_cast<double>(part) / static_cast<double>(parts_) - before_[family];
  return static_cast<Index>(std::clamp(std::ceil(earlier / costs_[family]), 0.0, static_cast<double>(n_tiles_)));
}

FamilyTiles::FamilyTiles(std::vector<const FittedKernel*> kernels, const Samples& training, const TrainingRows& rows,
                         const TrainingRows& columns)
    : kernels_(std::move(kernels)),
      family_(kernels_),
      rows_(rows.samples, kernels_.front()->spec().columns, family_.most_demanding()),
      columns_(columns.samples, kernels_.front()->spec().columns, family_.most_demanding()),
      base_tiles_(family_.bases, std::ssize(rows_.columns())),
      bases_(family_.bases.size(), Matrix(kTile, kTile)),
      tile_(kTile, kTile) {
  if (rows.numbers.empty()) places_ = columns.numbers;
  for (const FittedKernel* kernel : kernels_) {
    row_terms_.push_back(terms_of(*kernel, training, rows.numbers));
    column_terms_.push_back(terms_of(*kernel, training, columns.numbers));
  }
}

}  // namespace spicymkl
