#include "support.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>

#include "io/json_text.hpp"
#include "io/labels.hpp"
#include "spicymkl/io/imputer.hpp"
#include "spicymkl/kernel/samples.hpp"
#include "spicymkl/model/preparation.hpp"

namespace spicymkl::fuzz {

MemoryFile::MemoryFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) throw std::system_error(errno, std::generic_category(), "write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  path_ = fmt::format("/proc/self/fd/{}", descriptor_);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

void check_table_parts(const Table& table) {
  const auto rows = static_cast<std::size_t>(table.rows());
  const auto columns = static_cast<std::size_t>(table.values.cols());
  require(rows > 0 && columns > 0, "a table without cells was accepted");
  require(table.columns.size() == columns && table.categories.size() == columns, "columns differ in number");
  require(table.target.size() == (table.has_target() ? rows : 0), "rows and targets differ in number");
  require(table.lines.empty() || table.lines.size() == rows, "rows and lines differ in number");
  require(table.ids.size() == (table.id_name.empty() ? 0 : rows), "rows and identities differ in number");
  require(table.weights.size() == (table.weight_name.empty() ? 0 : table.rows()), "rows and weights differ in number");
  for (std::size_t j = 0; j < columns; ++j) {
    const auto limit = static_cast<double>(table.categories[j].size());
    for (const double cell : table.values.col(static_cast<Index>(j))) {
      require(!std::isinf(cell), "a cell is infinite");
      if (limit > 0 && !std::isnan(cell)) require(cell >= 0 && cell < limit, "a code has no category");
    }
  }
}

namespace {

constexpr Index kMostCells = 10'000;  // a larger table has been read; what follows is quadratic in nothing but patience

/// What training does first with a table.
void use_table(const Table& table) {
  check_table_parts(table);
  if (table.values.size() > kMostCells) return;
  accepted([&] { target_values(table); });
  accepted([&] { regression_targets(table); });
  accepted([&] {
    const ClassLabels labels = class_labels(table);
    for (const Index code : labels.codes)
      require(code >= 0 && code < static_cast<Index>(labels.classes.size()), "a label has no class");
  });
  accepted([&] {
    Table filled = table;
    fit_imputer(table, ImputeMethod::median).apply(filled.values);
    check_complete(filled);
    check_samples(to_samples(std::move(filled)));
  });
}

}  // namespace

void read_tables(std::string_view bytes, TableFormat format) {
  const MemoryFile file(bytes);
  TableOptions plain;
  plain.format = format;
  plain.threads = 1;
  TableOptions learning = plain;
  learning.target = "-1";
  learning.categorical = {"0"};
  TableOptions named = plain;
  named.header = Header::yes;
  named.target = "y";
  named.id = "id";
  named.id_is_optional = true;
  named.weights = "w";
  named.drop = {"1"};
  named.complete = true;
  TableOptions bare = plain;
  bare.header = Header::no;
  bare.id = "0";
  for (const TableOptions& options : {plain, learning, named, bare})
    accepted([&] { use_table(read_table(file.path(), options)); });
}

void seal(TensorFile& file) {
  for (auto& [key, text] : file.metadata) {
    nlohmann::json header = nlohmann::json::parse(text, nullptr, false);
    if (!header.is_object()) continue;
    header["checksum"] = tensor_checksum(file);
    text = header.dump();
  }
}

std::string sealed(std::string_view bytes) {
  std::string changed(bytes);
  accepted([&] {
    TensorFile file = parse_safetensors(bytes, "seal");
    seal(file);
    changed = to_safetensors(file);
  });
  return changed;
}

}  // namespace spicymkl::fuzz
