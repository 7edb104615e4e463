// The first bytes of NumPy's NPY format: what the array is and where its cells begin.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

enum class NpyKind { boolean, signed_integer, unsigned_integer, floating, bytes, unicode };

struct NpyHeader {
  NpyKind kind = NpyKind::floating;
  std::size_t cell_size = 8;  ///< bytes
  bool fortran_order = false;
  std::vector<Index> shape;
  std::size_t data_offset = 0;  ///< of the first cell
  Index cells = 0;              ///< product of the shape

  bool is_text() const { return kind == NpyKind::bytes || kind == NpyKind::unicode; }
};

/// `bytes` is the whole file. Throws InputError, naming `path`, for a file that is not NPY, a dtype that is not
/// little-endian numbers or text (objects, records, complex numbers), and for fewer cells than the shape announces.
/// Reads the header alone, and allocates nothing on the strength of what it announces.
NpyHeader parse_npy_header(std::string_view bytes, const std::string& path);

}  // namespace spicymkl
