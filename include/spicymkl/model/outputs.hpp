// The columns of scores: the outputs of the fits, one after the other.
#pragma once

#include "spicymkl/model/model.hpp"

namespace spicymkl {

struct Output {
  std::size_t fit = 0;
  Index output = 0;  ///< of that fit
};

std::vector<Output> outputs_of(const std::vector<Fit>& fits);

/// Dual values, rows × outputs.
Matrix duals_of(const std::vector<Fit>& fits);

/// The class or the target that a column of scores speaks for; empty where there is one column.
std::string output_name(const Model& model, Index column);

}  // namespace spicymkl
