#include "spicymkl/io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <regex>

#include "spicymkl/core/error.hpp"
#include "spicymkl/io/mapped_file.hpp"

namespace spicymkl {

namespace {

static_assert(std::endian::native == std::endian::little, "NPY files are read as little-endian");

struct Header {
  std::string type;  // such as <f8
  bool fortran_order = false;
  std::vector<Index> shape;
  std::size_t data_offset = 0;
};

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InputError(fmt::format("'{}' is not a readable .npy file: {}", path, why));
}

Header parse_header(const std::string& path, std::string_view bytes) {
  if (bytes.size() < 10 || bytes.substr(0, 6) != "\x93NUMPY") refuse(path, "it does not start with the NPY signature");
  const int major = static_cast<unsigned char>(bytes[6]);
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  if (major < 1 || major > 3) refuse(path, fmt::format("format version {} is not known", major));
  if (bytes.size() < 8 + length_bytes) refuse(path, "it ends inside its header");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  Header header;
  header.data_offset = 8 + length_bytes + length;
  if (bytes.size() < header.data_offset) refuse(path, "it ends inside its header");
  const std::string text(bytes.substr(8 + length_bytes, length));
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(R"('descr'\s*:\s*'([^']*)')"))) refuse(path, "its header has no plain dtype");
  header.type = found[1];
  if (!std::regex_search(text, found, std::regex(R"('fortran_order'\s*:\s*(True|False))")))
    refuse(path, "its header has no fortran_order");
  header.fortran_order = found[1] == "True";
  if (!std::regex_search(text, found, std::regex(R"('shape'\s*:\s*\(([^)]*)\))"))) refuse(path, "its header has no shape");
  const std::string dimensions = found[1];
  const std::regex number(R"(\d{1,18})");
  for (std::sregex_iterator it(dimensions.begin(), dimensions.end(), number), end; it != end; ++it)
    header.shape.push_back(std::stoll(it->str()));
  return header;
}

template <class Source>
void convert(const char* bytes, std::vector<double>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Source value;
    std::memcpy(&value, bytes + i * sizeof(Source), sizeof(Source));
    out[i] = static_cast<double>(value);
  }
}

struct ElementType {
  std::size_t size;
  std::function<void(const char*, std::vector<double>&)> convert;
};

const std::map<std::string, ElementType>& element_types() {
  static const std::map<std::string, ElementType> types = {
      {"<f8", {8, convert<double>}},         {"<f4", {4, convert<float>}},
      {"<i8", {8, convert<std::int64_t>}},   {"<i4", {4, convert<std::int32_t>}},
      {"<i2", {2, convert<std::int16_t>}},   {"|i1", {1, convert<std::int8_t>}},
      {"<u8", {8, convert<std::uint64_t>}},  {"<u4", {4, convert<std::uint32_t>}},
      {"<u2", {2, convert<std::uint16_t>}},  {"|u1", {1, convert<std::uint8_t>}},
      {"|b1", {1, convert<std::uint8_t>}},
  };
  return types;
}

/// Row-major copy of a column-major array.
std::vector<double> to_row_major(const std::vector<double>& source, const std::vector<Index>& shape) {
  std::vector<double> out(source.size());
  std::vector<Index> position(shape.size(), 0);
  for (const double value : source) {
    Index offset = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + position[d];
    out[static_cast<std::size_t>(offset)] = value;
    for (std::size_t d = 0; d < shape.size() && ++position[d] == shape[d]; ++d) position[d] = 0;
  }
  return out;
}

/// Number of entries, refusing a header that announces more than the file can hold.
std::size_t checked_count(const std::string& path, const Header& header, std::size_t element_size, std::size_t available) {
  std::size_t count = 1;
  for (const Index length : header.shape) {
    if (length != 0 && count > available / static_cast<std::size_t>(length) + 1)
      refuse(path, fmt::format("its header announces shape ({}), but the file holds {} bytes of data; it is truncated",
                               fmt::join(header.shape, ", "), available));
    count *= static_cast<std::size_t>(length);
  }
  if (count * element_size > available)
    refuse(path, fmt::format("its header announces shape ({}), but the file holds {} bytes of data; it is truncated",
                             fmt::join(header.shape, ", "), available));
  return count;
}

}  // namespace

Index NpyArray::size() const { return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>()); }

NpyArray read_npy(const std::string& path) {
  const MappedFile file = map_file(path);
  const Header header = parse_header(path, file.bytes);
  const auto type = element_types().find(header.type);
  if (type == element_types().end())
    refuse(path, fmt::format("its dtype '{}' is not a number type; save it as float64", header.type));
  const std::size_t count =
      checked_count(path, header, type->second.size, file.bytes.size() - header.data_offset);
  const char* data = file.bytes.data() + header.data_offset;
  const bool in_place = header.type == "<f8" && reinterpret_cast<std::uintptr_t>(data) % alignof(double) == 0 &&
                        (!header.fortran_order || header.shape.size() < 2);
  if (in_place) return {header.shape, reinterpret_cast<const double*>(data), file.owner};
  auto copy = std::make_shared<std::vector<double>>(count);
  type->second.convert(data, *copy);
  if (header.fortran_order) *copy = to_row_major(*copy, header.shape);
  return {header.shape, copy->data(), copy};
}

std::string npy_header(const std::vector<Index>& shape) {
  std::string text = fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}{}), }}", fmt::join(shape, ", "),
                                 shape.size() == 1 ? "," : "");
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
