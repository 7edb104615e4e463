// NPY and NPZ files made by hand, byte by byte, so that the tests need no Python.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spicymkl::test {

inline std::string little_endian(std::uint64_t number, int width) {
  std::string bytes;
  for (int k = 0; k < width; ++k) bytes += static_cast<char>(number >> (8 * k) & 0xFF);
  return bytes;
}

template <class T>
std::string cells(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string npy_with_header(std::string dictionary, const std::string& data) {
  while ((10 + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  return "\x93NUMPY" + std::string("\x01\x00", 2) + little_endian(dictionary.size(), 2) + dictionary + data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false) {
  return npy_with_header(
      "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }",
      data);
}

/// Raw, as in a ZIP archive; window_bits of 15 + 16 makes a gzip file.
inline std::string deflated(std::string_view bytes, int window_bits = -15) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ZipChoice {
  bool deflate = false;
  bool zip64 = false;  ///< sizes and offsets of 64 bits throughout, as an archive of over 4 GiB has
  unsigned flags = 0;
};

inline std::string zip(const std::vector<std::pair<std::string, std::string>>& members, const ZipChoice& choice = {}) {
  const auto size_field = [&](std::uint64_t size) { return little_endian(choice.zip64 ? 0xFFFFFFFF : size, 4); };
  std::string file;
  std::string directory;
  for (const auto& [name, bytes] : members) {
    const std::string data = choice.deflate ? deflated(bytes) : bytes;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    const std::string sizes64 = little_endian(bytes.size(), 8) + little_endian(data.size(), 8);
    // numpy gives every local header a ZIP64 extra field, so the local one is longer than the directory's.
    const std::string local_extra = little_endian(1, 2) + little_endian(16, 2) + sizes64;
    const std::string extra = choice.zip64
                                  ? little_endian(1, 2) + little_endian(24, 2) + sizes64 + little_endian(file.size(), 8)
                                  : std::string();
    const std::string common = little_endian(choice.flags, 2) + little_endian(choice.deflate ? 8 : 0, 2) +
                               little_endian(0, 4) + little_endian(crc, 4) + size_field(data.size()) +
                               size_field(bytes.size()) + little_endian(name.size(), 2);
    directory += std::string("PK\1\2", 4) + little_endian(45, 2) + little_endian(45, 2) + common +
                 little_endian(extra.size(), 2) + little_endian(0, 2) + little_endian(0, 2) + little_endian(0, 2) +
                 little_endian(0, 4) + size_field(file.size()) + name + extra;
    file += std::string("PK\3\4", 4) + little_endian(45, 2) + common + little_endian(local_extra.size(), 2) + name +
            local_extra + data;
  }
  const std::uint64_t at = file.size();
  const std::uint64_t n = members.size();
  file += directory;
  if (choice.zip64) {
    const std::uint64_t record = file.size();
    file += std::string("PK\6\6", 4) + little_endian(44, 8) + little_endian(45, 2) + little_endian(45, 2) +
            little_endian(0, 8) + little_endian(n, 8) + little_endian(n, 8) + little_endian(directory.size(), 8) +
            little_endian(at, 8);
    file += std::string("PK\6\7", 4) + little_endian(0, 4) + little_endian(record, 8) + little_endian(1, 4);
  }
  file += std::string("PK\5\6", 4) + little_endian(0, 4) + little_endian(n, 2) + little_endian(n, 2) +
          little_endian(directory.size(), 4) + size_field(at) + little_endian(0, 2);
  return file;
}

}  // namespace spicymkl::test
