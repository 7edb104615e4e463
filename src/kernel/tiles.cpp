#include "tiles.hpp"

#include <map>

namespace spicymkl {

namespace {

Vector terms_of(const FittedKernel& kernel, const Samples& training, std::span<const Index> numbers) {
  const Vector all = kernel.training_terms(training);
  return all.size() == 0 || numbers.empty() ? all : Vector(all(numbers));
}

}  // namespace

std::vector<Index> families_of(const std::vector<FittedKernel>& kernels) {
  std::map<std::pair<Base, std::vector<Index>>, Index> numbers;
  std::vector<Index> family;
  for (const FittedKernel& kernel : kernels)
    family.push_back(
        numbers.emplace(std::pair(kernel.base(), kernel.spec().columns), std::ssize(numbers)).first->second);
  return family;
}

std::vector<Slice> slices_of(const std::vector<Index>& family) {
  std::map<Index, Slice> by_family;
  for (Index k = 0; k < std::ssize(family); ++k) by_family[family[k]].push_back(k);
  std::vector<Slice> slices;
  for (const auto& [number, members] : by_family)
    for (Index first = 0; first < std::ssize(members); first += kSliceLength)
      slices.emplace_back(members.begin() + first,
                          members.begin() + std::min<Index>(std::ssize(members), first + kSliceLength));
  return slices;
}

FamilyTiles::FamilyTiles(std::vector<const FittedKernel*> kernels, const Samples& training, const TrainingRows& rows,
                         const TrainingRows& columns)
    : kernels_(std::move(kernels)),
      rows_(kernels_.front()->points(rows.samples)),
      columns_(kernels_.front()->points(columns.samples)),
      base_(kTile, kTile),
      tile_(kTile, kTile) {
  if (rows.numbers.empty()) places_ = columns.numbers;
  for (const FittedKernel* kernel : kernels_) {
    row_terms_.push_back(terms_of(*kernel, training, rows.numbers));
    column_terms_.push_back(terms_of(*kernel, training, columns.numbers));
  }
}

}  // namespace spicymkl
