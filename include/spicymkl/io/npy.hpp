// NumPy's .npy files as arrays of doubles.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Row-major array of doubles, kept alive by `owner`. A C-ordered float64 file is used in place, without a copy.
struct NpyArray {
  std::vector<Index> shape;
  const double* data = nullptr;
  std::shared_ptr<const void> owner;
  Index size() const;
};

/// Reads float64, float32, integer or boolean arrays of either memory order; anything else is an InputError naming the
/// file.
NpyArray read_npy(const std::string& path);

/// Row-major float64 bytes of a .npy file, header included.
std::string npy_header(const std::vector<Index>& shape);

}  // namespace spicymkl
