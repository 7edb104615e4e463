// Mean 0 and standard deviation 1 on the training rows, so that one width means the same in every column.
#pragma once

#include "spicymkl/kernel/samples.hpp"

namespace spicymkl {

/// x ↦ (x − mean) / scale, column by column. Two vectors hold all of it: store them, and the same map is back.
struct Standardizer {
  Vector mean;
  Vector scale;

  /// Population standard deviation. A constant column gets scale 1 and becomes 0; a categorical one stays as it is.
  static Standardizer fit(const Samples& training, int threads = 1);

  void apply(Samples& samples, int threads = 1) const;
};

}  // namespace spicymkl
