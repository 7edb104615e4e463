// Sparse rows, "label index:value …": the one table whose bytes do not bound its cells.
#include "../support.hpp"
#include "../targets.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> libsvm_seeds() {
  return {
      "+1 1:0.5 3:2 # note\n-1 2:1\n",
      "1 qid:3 1:1 2:2\n2 qid:4 1:3\n\n3\n",
      "a 1:1e3\nb 1:NA\n? 2:1\n",
      "1 2147483647:1\n",
      "1 99999999999:1\n",
      "1 2:1 1:1\n",
      "1 1:inf\n",
      "1:1\n",
  };
}

void read_libsvm_bytes(std::string_view bytes) { read_tables(bytes, TableFormat::libsvm); }

}  // namespace

Target libsvm_target() {
  return {
      "libsvm",
      libsvm_seeds,
      {":", " ", "\n", "\r\n", "#", "qid:", "1:", "+1", "-1", "0:", "2147483647:", "1000000:", "NA", "inf", "1e999"},
      read_libsvm_bytes};
}

}  // namespace spicymkl::fuzz
