// The cells of a NumPy array as numbers or as strings.
#pragma once

#include <string>
#include <string_view>

#include "npy_header.hpp"

namespace spicymkl {

/// An array of one or two dimensions seen as rows × columns.
class ArrayCells {
 public:
  /// `bytes` is a whole NPY file and must outlive this. Throws InputError, naming `what`, for other dimensions
  /// and for none of the first.
  ArrayCells(std::string_view bytes, const std::string& what);

  Index rows() const { return header_.shape[0]; }
  Index columns() const { return is_vector() ? 1 : header_.shape[1]; }
  bool is_vector() const { return header_.shape.size() == 1; }
  bool is_text() const { return header_.is_text(); }

  /// Rows begin…begin+size−1 of a column, as numbers. Not for strings.
  void copy_numbers(Index column, Index begin, Index size, double* out) const;
  /// One cell as text: a number in its shortest form, NaN as the empty string.
  std::string text(Index row, Index column) const;

 private:
  const char* cell(Index row, Index column) const;

  NpyHeader header_;
  const char* data_;
};

}  // namespace spicymkl
