#include "array_cells.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "number_type.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code >> 18 & 7));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// NumPy pads strings with zeros.
std::string unicode_text(const char* at, std::size_t size) {
  std::string text;
  for (std::size_t k = 0; k < size; k += 4) append_utf8(text, load_cell<std::uint32_t>(at + k));
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

std::string bytes_text(const char* at, std::size_t size) {
  const std::string text(at, size);
  return text.substr(0, text.find_last_not_of('\0') + 1);
}

}  // namespace

ArrayCells::ArrayCells(std::string_view bytes, const std::string& what)
    : header_(parse_npy_header(bytes, what)), data_(bytes.data() + header_.data_offset) {
  const std::size_t dimensions = header_.shape.size();
  if (dimensions != 1 && dimensions != 2)
    throw InputError(
        fmt::format("{}: has {} dimensions and a table has one or two; give rows by columns", what, dimensions));
  // Without rows the file's size says nothing of the number of columns.
  if (rows() == 0) throw InputError(fmt::format("{}: has no rows; give at least one", what));
}

const char* ArrayCells::cell(Index row, Index column) const {
  const Index at = header_.fortran_order ? column * rows() + row : row * columns() + column;
  return data_ + at * header_.cell_size;
}

void ArrayCells::copy_numbers(Index column, Index begin, Index size, double* out) const {
  const char* first = cell(begin, column);
  const Index step = (header_.fortran_order ? 1 : columns()) * static_cast<Index>(header_.cell_size);
  with_number_type(header_, [&]<class T>(T*) {
    for (Index i = 0; i < size; ++i) out[i] = static_cast<double>(load_cell<T>(first + i * step));
  });
}

std::string ArrayCells::text(Index row, Index column) const {
  const char* at = cell(row, column);
  if (header_.kind == NpyKind::unicode) return unicode_text(at, header_.cell_size);
  if (header_.kind == NpyKind::bytes) return bytes_text(at, header_.cell_size);
  std::string text;
  with_number_type(header_, [&]<class T>(T*) {
    if constexpr (std::is_integral_v<T>) {
      text = fmt::format(
          "{}", static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(load_cell<T>(at)));
    } else if constexpr (std::is_same_v<T, Eigen::half>) {
      if (const auto value = static_cast<float>(load_cell<T>(at)); !std::isnan(value)) text = fmt::format("{}", value);
    } else {
      if (const T value = load_cell<T>(at); !std::isnan(value)) text = fmt::format("{}", value);
    }
  });
  return text;
}

}  // namespace spicymkl
