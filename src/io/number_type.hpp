// The C++ type behind the cells of a NumPy array.
#pragma once

#include <cstdint>
#include <cstring>

#include "npy_header.hpp"

namespace spicymkl {

/// Cells of a file need not be aligned.
template <class T>
T load_cell(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Unsigned numbers of up to 8 bytes, little end first.
inline std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[k]);
  return number;
}

/// Calls visit with a null pointer to the C++ type of the cells. Not for strings.
template <class Visit>
void with_number_type(const NpyHeader& header, const Visit& visit) {
  const bool is_signed = header.kind == NpyKind::signed_integer;
  if (header.kind == NpyKind::floating) {
    if (header.cell_size == 8) return visit(static_cast<double*>(nullptr));
    if (header.cell_size == 4) return visit(static_cast<float*>(nullptr));
    return visit(static_cast<Eigen::half*>(nullptr));
  }
  switch (header.cell_size) {
    case 8:
      return is_signed ? visit(static_cast<std::int64_t*>(nullptr)) : visit(static_cast<std::uint64_t*>(nullptr));
    case 4:
      return is_signed ? visit(static_cast<std::int32_t*>(nullptr)) : visit(static_cast<std::uint32_t*>(nullptr));
    case 2:
      return is_signed ? visit(static_cast<std::int16_t*>(nullptr)) : visit(static_cast<std::uint16_t*>(nullptr));
    default:
      return is_signed ? visit(static_cast<std::int8_t*>(nullptr)) : visit(static_cast<std::uint8_t*>(nullptr));
  }
}

}  // namespace spicymkl
