// The bases of kernels on the same columns, a tile at a time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "centred_product.hpp"

namespace spicymkl {

/// Kernels of one family, on the same columns, have their base values computed together. This is the same for bases
/// that then come from one matrix product: inner products, cosines and squared distances of many columns.
Base family_base(Base base, Index n_table_columns);

class BaseTiles {
 public:
  /// Different bases of one family.
  BaseTiles(std::vector<Base> bases, Index n_table_columns);

  /// outs[b] = the values of the b-th base for the points that begin there, as many as it has rows and columns: at most
  /// kPanelRows of each. Points of cosines have norms.
  struct Begin {
    const Points* rows;
    Index first_row;
    const Points* columns;
    Index first_column;
  };
  void compute(const Begin& begin, std::span<MatrixRef> outs);

 private:
  std::vector<Base> bases_;
  std::optional<CentredProduct> product_;  // where the bases come from it
};

}  // namespace spicymkl
