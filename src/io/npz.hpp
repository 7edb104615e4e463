// NPZ: a ZIP archive of NPY files, stored or deflated (numpy.savez, numpy.savez_compressed).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spicymkl {

class NpzArchive {
 public:
  /// `bytes` is the whole file and must outlive the archive. Throws InputError, naming `path`, for a damaged directory.
  NpzArchive(std::string_view bytes, std::string path);

  /// Names of the arrays, without ".npy", in the order of the file. Other members are passed over.
  std::vector<std::string> names() const;

  /// The NPY bytes of an array: a view of the file when it is stored, of `inflated` when it is deflated. Checks the
  /// CRC.
  std::string_view read(const std::string& name, std::string& inflated) const;

 private:
  struct Member {
    std::string name;
    unsigned flags;
    unsigned method;
    std::uint32_t crc;
    std::uint64_t compressed_size;
    std::uint64_t size;
    std::uint64_t offset;
  };

  Member read_entry(std::uint64_t& at) const;
  std::string_view compressed(const Member& member) const;
  std::string what(const Member& member) const;

  std::string_view bytes_;
  std::string path_;
  std::vector<Member> members_;
  std::unordered_map<std::string, std::size_t> place_;  ///< of the first member of each name
};

}  // namespace spicymkl
