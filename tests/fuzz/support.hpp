// What the targets share: files in memory, and what must hold of anything that was read.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "io/safetensors.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/io/read_table.hpp"

namespace spicymkl::fuzz {

/// A file that exists in memory alone, under a path that every reader can open.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

/// What does not hold is a finding.
inline void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

/// A message longer than this hides what is wrong.
inline constexpr std::size_t kLongestMessage = 8192;

/// Whether the call came through; it may be refused in a sentence of bearable length.
template <class Call>
bool accepted(const Call& call) {
  try {
    call();
    return true;
  } catch (const InputError& error) {
    require(std::string_view(error.what()).size() <= kLongestMessage, "a refusal is too long to be read");
    return false;
  }
}

/// Reads a table in every way that the options offer, and checks and uses what comes out.
void read_tables(std::string_view bytes, TableFormat format);

/// The parts of a table agree in size, and its cells are finite, missing or codes of categories.
void check_table_parts(const Table& table);

/// The same container with the checksum that its numbers have, as whoever means harm would write it; the bytes as they
/// are when they hold no such thing.
std::string sealed(std::string_view bytes);
/// The same for what the bytes hold.
void seal(TensorFile& file);

}  // namespace spicymkl::fuzz
