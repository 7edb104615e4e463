// JSON from files that anyone may have written: nested, sized and repeated within bounds. Including it takes
// nlohmann-json.
#pragma once

#include <iosfwd>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Text that is no JSON, nests more than some 100 levels or gives a key twice in one object is an InputError that
/// begins with `what`, such as "kernel list 'k.json'".
nlohmann::json parse_json(std::string_view text, const std::string& what);

/// The same for a whole stream of some 256 MB at most.
nlohmann::json parse_json(std::istream& stream, const std::string& what);

/// A whole number from 0 to `largest`, written as one. Anything else is an InputError: JSON's other numbers have no
/// meaning as an index or a count, and some none that C++ could convert.
Index whole_value(const nlohmann::json& value, Index largest = std::numeric_limits<Index>::max());
int count_value(const nlohmann::json& value);  ///< the same, of what is an int here
std::vector<Index> whole_values(const nlohmann::json& list);

/// The beginning of a text, for messages.
std::string shortened(const std::string& text);

/// A value as it stands in the file, shortened.
std::string shown(const nlohmann::json& value);

}  // namespace spicymkl
