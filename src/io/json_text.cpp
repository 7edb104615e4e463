#include "spicymkl/io/json_text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <istream>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::json;

constexpr int kMostLevels = 100;  // what walks the values recurses
constexpr std::size_t kMostBytes = std::size_t{1} << 28;
constexpr std::size_t kShown = 120;

/// Follows the parser and refuses what must not become a value.
class Guard {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > kMostLevels)
      throw InputError(fmt::format("it nests more than {} levels deep; flatten it", kMostLevels));
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
      throw InputError(fmt::format("the key {} occurs twice in one object; remove one", shown(parsed)));
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

}  // namespace

std::string shortened(std::string text) {
  if (text.size() <= kShown) return text;
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return text.substr(0, end) + "…";
}

std::string shown(const Json& value) { return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

Index whole_value(const Json& value, Index largest) {
  const bool positive = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  const bool fits = positive && value.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest);
  if (!fits) throw InputError(fmt::format("{} stands where a whole number from 0 to {} must", shown(value), largest));
  return value.get<Index>();
}

std::vector<Index> whole_values(const Json& list) {
  if (!list.is_array()) throw InputError(fmt::format("{} stands where a list of whole numbers must", shown(list)));
  std::vector<Index> values;
  for (const Json& value : list) values.push_back(whole_value(value));
  return values;
}

Json parse_json(std::string_view text, const std::string& what) {
  Guard guard;
  try {
    return Json::parse(text,
                       [&](int depth, Json::parse_event_t event, Json& parsed) { return guard(depth, event, parsed); });
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{} is not JSON: {}", what, shortened(error.what())));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", what, error.what()));
  }
}

Json parse_json(std::istream& stream, const std::string& what) {
  std::string text;
  char block[1 << 16];
  while (stream.read(block, sizeof(block)) || stream.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMostBytes)
      throw InputError(fmt::format("{} is larger than {} MB; is it the right file?", what, kMostBytes >> 20));
  }
  return parse_json(text, what);
}

}  // namespace spicymkl
