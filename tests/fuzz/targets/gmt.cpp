// Gene sets: groups of columns, one per line.
#include <sstream>

#include "../small_problem.hpp"
#include "../support.hpp"
#include "../targets.hpp"
#include "spicymkl/kernel/groups.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> gmt_seeds() {
  return {
      "s\tfirst\ta\tb\nt\tsecond\td\n",
      "s\t\ta\ta\t\tunknown\r\n",
      "s\tx\n",
      "s\tx\ta\ns\tx\tb\n",
      "\t\t\n",
      "s\tx\tnone of them\n",
      "s\tx\t" + std::string(3000, 'z') + "\n",
  };
}

void read_gmt_bytes(std::string_view bytes) {
  const std::vector<std::string> columns = small_samples().columns;
  std::istringstream stream{std::string(bytes)};
  const Groups groups = read_gmt(stream, "fuzz.gmt", columns);
  require(groups.summary.n_absent <= groups.summary.n_members, "more members are absent than there are");
  for (const ColumnGroup& group : groups.groups) {
    require(!group.columns.empty(), "an empty group was accepted");
    for (const Index column : group.columns)
      require(column >= 0 && column < static_cast<Index>(columns.size()), "a group leaves the table");
  }
}

}  // namespace

Target gmt_target() { return {"gmt", gmt_seeds, {"\t", "\n", "\r\n", "a", "b", "colour", "\t\t"}, read_gmt_bytes}; }

}  // namespace spicymkl::fuzz
