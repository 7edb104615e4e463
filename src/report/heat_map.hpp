// Kernel weights arranged by source and by kernel parameters, when the list of kernels has that structure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// The weight of each kernel in a fit as a share of all: M values.
Vector weight_shares(const Model& model, const Fit& fit);
/// The same on average over the fits.
Vector weight_shares(const Model& model);

struct HeatMap {
  /// Kernels of one type, neighbours in the map.
  struct Block {
    std::string type;
    std::string parameters;  ///< names of those that differ within the block; may be empty
    Index n_columns = 0;
  };
  std::vector<std::string> rows;  ///< sources: a group, a column, or a set of columns
  std::vector<Block> blocks;
  std::vector<std::string> columns;  ///< values of the parameters that differ
  Matrix share;                      ///< NaN where there is no such kernel
  Index n_sources = 0;               ///< of which the heaviest are here
  Index n_selected = 0;              ///< sources with a weight; others are here only where there are few in all
};

/// None when there is one source only, or kernels do not repeat from source to source.
std::optional<HeatMap> heat_map(const Model& model);

}  // namespace spicymkl
