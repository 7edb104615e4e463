// Gram matrices and labels from .npy files, checked.
#pragma once

#include "options.hpp"
#include "spicymkl/bank/dense_bank.hpp"

namespace spicymkl::cli {

struct GramData {
  std::shared_ptr<const DenseBank> bank;
  Vector labels;
  Vector weights;  ///< empty: all 1
};

GramData read_gram_data(const GramInput& input, int threads);

}  // namespace spicymkl::cli
