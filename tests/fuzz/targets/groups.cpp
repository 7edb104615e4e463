// Groups of columns as JSON.
#include "spicymkl/kernel/groups.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "../small_problem.hpp"
#include "../support.hpp"
#include "../targets.hpp"
#include "io/json_text.hpp"

namespace spicymkl::fuzz {

namespace {

std::vector<std::string> groups_seeds() {
  return {
      R"({"s": ["a", "b"], "t": "d"})",
      R"({"s": "0:2", "t": "*", "u": 3, "v": [-1, "co*", "a?", "all"]})",
      R"({"s": "9223372036854775807", "t": 1e99})",
      R"({"s": -9223372036854775808})",
      R"({"s": 18446744073709551615})",
      R"({"s": "-9223372036854775808:9223372036854775807"})",
      R"({"s": [], "t": {}})",
      R"({"s": "a", "s": "b"})",
      R"({"s":)" + std::string(500, '['),
      R"({"s": ")" + std::string(200, '*') + R"("})",
  };
}

void read_groups_bytes(std::string_view bytes) {
  const std::vector<std::string> columns = small_samples().columns;
  std::istringstream stream{std::string(bytes)};
  const Groups groups = groups_from_json(parse_json(stream, "groups file 'fuzz.json'"), columns);
  require(!groups.groups.empty(), "no groups were accepted");
  for (const ColumnGroup& group : groups.groups) {
    require(!group.columns.empty(), "an empty group was accepted");
    for (const Index column : group.columns)
      require(column >= 0 && column < static_cast<Index>(columns.size()), "a group leaves the table");
  }
}

}  // namespace

Target groups_target() {
  return {"groups",
          groups_seeds,
          {"{", "}", "[", "]", ":", ",", "\"a\"", "\"colour\"", "\"all\"", "\"*\"", "\"0:2\"", "\"a?\"", "-1", "\":\"",
           "9223372036854775807", "\\u0000", "null"},
          read_groups_bytes};
}

}  // namespace spicymkl::fuzz
