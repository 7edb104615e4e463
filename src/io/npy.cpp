#include "spicymkl/io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <functional>
#include <numeric>

#include "mapped_file.hpp"
#include "number_type.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

static_assert(std::endian::native == std::endian::little, "NPY files are read as little-endian");

/// Row-major copy of a column-major array.
std::vector<double> to_row_major(const std::vector<double>& source, const std::vector<Index>& shape) {
  std::vector<double> out(source.size());
  std::vector<Index> position(shape.size(), 0);
  for (const double value : source) {
    Index offset = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + position[d];
    out[offset] = value;
    for (std::size_t d = 0; d < shape.size() && ++position[d] == shape[d]; ++d) position[d] = 0;
  }
  return out;
}

std::vector<double> converted(const NpyHeader& header, const char* data) {
  std::vector<double> copy(header.cells);
  with_number_type(header, [&]<class T>(T*) {
    for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = static_cast<double>(load_cell<T>(data + i * sizeof(T)));
  });
  return copy;
}

}  // namespace

Index NpyArray::size() const { return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>()); }

NpyArray read_npy(const std::string& path) {
  const MappedFile file = map_file(path);
  const NpyHeader header = parse_npy_header(file.bytes, path);
  if (header.is_text())
    throw InputError(fmt::format("'{}' holds strings, but numbers are needed; save it as float64", path));
  const char* data = file.bytes.data() + header.data_offset;
  const bool is_double = header.kind == NpyKind::floating && header.cell_size == sizeof(double);
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % alignof(double) == 0;
  const bool row_major = !header.fortran_order || header.shape.size() < 2;
  if (is_double && aligned && row_major) return {header.shape, reinterpret_cast<const double*>(data), file.owner};
  auto copy = std::make_shared<std::vector<double>>(converted(header, data));
  if (!row_major) *copy = to_row_major(*copy, header.shape);
  return {header.shape, copy->data(), copy};
}

std::string npy_header(const std::vector<Index>& shape) {
  std::string text = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}), }}",
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header = "\x93NUMPY";
  header += '\x01';
  header += '\x00';
  header += static_cast<char>(length & 0xff);
  header += static_cast<char>(length >> 8);
  return header + text;
}

}  // namespace spicymkl
