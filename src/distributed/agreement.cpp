// What ranks compare before they work: the memory of their machines, and files.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "io/gzip.hpp"
#include "io/mapped_file.hpp"
#include "office.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

/// Numbers that tell machines apart, in two parts that a double holds exactly.
std::pair<double, double> machine_mark() {
  char name[256] = {};
  ::gethostname(name, sizeof(name) - 1);
  const std::uint32_t mark = checksum(std::string_view(name));
  return {static_cast<double>(mark), static_cast<double>(std::string_view(name).size())};
}

constexpr std::size_t kWhole = 0x1p28;  // bytes up to which all of a file is read
constexpr std::size_t kEnd = 0x1p26;    // of a larger one, at either end

}  // namespace

Machines agree_on_machines(Communicator& ranks) {
  const int count = ranks.size(), me = ranks.rank();
  Matrix all = Matrix::Zero(3, count);
  const auto [mark, length] = machine_mark();
  all.col(me) << mark, length, default_bank_memory();
  ranks.allreduce({all.data(), static_cast<std::size_t>(all.size())});
  Machines machines{all(2, 0), 1};
  for (int rank = 0; rank < count; ++rank) {
    int together = 0;
    double free = all(2, rank);
    for (int other = 0; other < count; ++other) {
      if (all(0, other) != all(0, rank) || all(1, other) != all(1, rank)) continue;
      ++together;
      free = std::min(free, all(2, other));
    }
    machines.free_memory = std::min(machines.free_memory, free / together);
    if (rank == 0) machines.ranks_with_0 = together;
  }
  return machines;
}

std::string file_mark(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) == 0) return "";
  const MappedFile file = map_file(path);
  const std::string_view bytes = file.bytes;
  if (bytes.size() <= kWhole) return fmt::format("{} bytes, checksum {:08x}", bytes.size(), checksum(bytes));
  return fmt::format("{} bytes, checksums {:08x} {:08x}", bytes.size(), checksum(bytes.substr(0, kEnd)),
                     checksum(bytes.substr(bytes.size() - kEnd)));
}

void compare_marks(const std::vector<std::string>& paths, const std::vector<std::string>& marks) {
  for (std::size_t k = 0; k < paths.size(); ++k) {
    const std::string here = file_mark(paths[k]);
    if (!here.empty() && !marks[k].empty() && here != marks[k])
      throw InputError(
          fmt::format("'{}' is another file there ({}) than on rank 0 ({}); give all ranks the same file, or a path "
                      "that only rank 0 has",
                      paths[k], here, marks[k]));
  }
}

}  // namespace spicymkl
