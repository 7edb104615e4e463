// Tables separated by tabs.
#include "../support.hpp"
#include "../targets.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> tsv_seeds() {
  return {
      "a\tb\ty\n1\t2\tyes\n3\t4.5\tno\n",
      "id\ta\tw\ty\nP1\t1\t1\ta\nP2\tNA\t2\tb\n",
      "1\t2\n3\t4\n",
      "\"a\tb\"\tc\ty\n1\t2\t3\n",
      "\t\t\n\t\t\n",
      "a\tb\n1\n",
  };
}

void read_tsv(std::string_view bytes) { read_tables(bytes, TableFormat::tsv); }

}  // namespace

Target tsv_target() {
  return {"tsv", tsv_seeds, {"\t", "\t\t", "\n", "\r\n", "\"", "NA", "?", "y", "id", "w", "1e999", "-0"}, read_tsv};
}

}  // namespace spicymkl::fuzz
