// Where kernels come from, and how much of the model each source carries.
#pragma once

#include <string>
#include <vector>

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// A group that the user named, a column, or a set of columns; a precomputed kernel is a source of its own.
struct Source {
  std::string name;  ///< no two sources of a model have the same
  std::vector<Index> kernels;
  Index n_active = 0;  ///< kernels of it that are active in some fit
  Vector weight;       ///< per fit, the sum of the weights d_m of its kernels
  Vector norm;         ///< per fit, the sum of their norms ‖f_m‖
};

/// All sources, in the order of their first kernels.
std::vector<Source> kernel_sources(const Model& model);

/// Per fit, the part of all weights that the source has: all sources together have 1, or 0 where no kernel is active.
Matrix weight_shares(const std::vector<Source>& sources);

}  // namespace spicymkl
