// Compressed tables.
#include "io/gzip.hpp"

#include "../../cpp/io_numpy_bytes.hpp"
#include "../support.hpp"
#include "../targets.hpp"

namespace spicymkl::fuzz {

namespace {

std::string gzipped(std::string_view bytes) { return test::deflated(bytes, 15 + 16); }

std::vector<std::string> gzip_seeds() {
  const std::string table = gzipped("a,b,y\n1,2,yes\n3,4.5,no\n");
  std::string damaged = table;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
  return {
      table,
      table + gzipped("5,6,yes\n"),
      table + std::string(64, '\0'),
      table.substr(0, table.size() / 2),
      damaged,
      gzipped(std::string(100'000, '0')),
      gzipped(""),
      std::string("\x1f\x8b"),
  };
}

void read_gzip(std::string_view bytes) {
  const std::string again = gzipped(bytes);
  require(gunzip(again, "fuzz.gz") == bytes, "what was compressed comes out as something else");
  for (const TableFormat format : {TableFormat::csv, TableFormat::libsvm, TableFormat::npy}) read_tables(bytes, format);
  read_tables(again, TableFormat::csv);
  gunzip(bytes, "fuzz.gz");
}

}  // namespace

Target gzip_target() { return {"gzip", gzip_seeds, {"\x1f\x8b\x08", "a,b,y\n", "1,2,yes\n", "\x1f\x8b"}, read_gzip}; }

}  // namespace spicymkl::fuzz
