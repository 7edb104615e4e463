#include "kernels.hpp"

#include <fmt/format.h>

#include <cmath>

#include "spicymkl/core/error.hpp"

namespace spicymkl::octave {

namespace {

/// One array, which holds one matrix or several, and what messages call it.
struct GramArray {
  std::string name;
  Numbers numbers;
};

std::vector<GramArray> arrays_of(const mxArray* value) {
  if (!mxIsCell(value)) return {{"K", to_numbers(value, "K")}};
  std::vector<GramArray> arrays;
  for (std::size_t m = 0; m < mxGetNumberOfElements(value); ++m) {
    const std::string name = fmt::format("K{{{}}}", m + 1);
    const mxArray* cell = mxGetCell(value, m);
    if (cell == nullptr) throw InputError(fmt::format("{} is empty, but it must be a Gram matrix", name));
    arrays.push_back({name, to_numbers(cell, name)});
    if (arrays.back().numbers.shape.size() != 2)
      throw InputError(fmt::format("{} has shape ({}), but every cell of K must hold one matrix", name,
                                   arrays.back().numbers.shape_text()));
  }
  return arrays;
}

void add(const GramArray& array, Grams& grams) {
  const Numbers& numbers = array.numbers;
  const Index count = numbers.shape.size() == 3 ? numbers.shape[2] : 1;
  for (Index m = 0; m < count; ++m) grams.kernels.push_back(numbers.data + m * grams.n_rows * grams.n_samples);
}

/// All have the sizes of the first, which have been checked.
Grams gather(std::vector<GramArray> arrays) {
  Grams grams;
  const std::vector<Index> first = arrays.front().numbers.shape;
  grams.n_rows = first[0];
  grams.n_samples = first[1];
  for (const GramArray& array : arrays) {
    const std::vector<Index>& shape = array.numbers.shape;
    if (shape[0] != first[0] || shape[1] != first[1])
      throw InputError(fmt::format("{} is {} x {}, but {} is {} x {}; all Gram matrices must have the same size",
                                   array.name, shape[0], shape[1], arrays.front().name, first[0], first[1]));
    add(array, grams);
  }
  grams.owner = std::make_shared<std::vector<GramArray>>(std::move(arrays));
  return grams;
}

}  // namespace

Grams to_grams(const mxArray* value) {
  std::vector<GramArray> arrays = arrays_of(value);
  for (const auto& [name, numbers] : arrays) {
    const std::vector<Index>& shape = numbers.shape;
    if (numbers.size() == 0) throw InputError(fmt::format("{} holds no Gram matrix", name));
    if (shape.size() > 3 || shape[0] != shape[1])
      throw InputError(
          fmt::format("{} has shape ({}), but Gram matrices must be N x N x M or N x N; for a table of N rows give "
                      "options.kernels, such as 'auto'",
                      name, numbers.shape_text()));
  }
  if (arrays.empty()) throw InputError("K holds no Gram matrix");
  return gather(std::move(arrays));
}

Grams to_new_rows(const mxArray* value, Index n_samples) {
  std::vector<GramArray> arrays = arrays_of(value);
  for (const auto& [name, numbers] : arrays) {
    if (numbers.shape.size() > 3 || numbers.shape[1] != n_samples)
      throw InputError(
          fmt::format("{} has shape ({}), but kernels of new rows must be N_new x N x M or N_new x N with N = {}, the "
                      "training rows",
                      name, numbers.shape_text(), n_samples));
  }
  if (arrays.empty()) throw InputError("K holds no kernels");
  return gather(std::move(arrays));
}

void refuse_not_finite(const Grams& grams) {
  for (std::size_t m = 0; m < grams.kernels.size(); ++m)
    for (Index k = 0; k < grams.n_rows * grams.n_samples; ++k)
      if (const double entry = grams.kernels[m][k]; !std::isfinite(entry))
        throw InputError(fmt::format("kernel {} has {} at row {}, column {}; every entry must be a finite number",
                                     m + 1, entry, k % grams.n_rows + 1, k / grams.n_rows + 1));
}

std::shared_ptr<const DenseBank> to_bank(const Grams& grams, int threads, const Watch& watch) {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < grams.kernels.size(); ++m) names.push_back(fmt::format("k{}", m));
  return std::make_shared<DenseBank>(grams.kernels, grams.n_samples, names, threads, grams.owner, watch);
}

}  // namespace spicymkl::octave
