#include "json_text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <istream>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/utf8.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

using Json = nlohmann::json;

constexpr int kMostLevels = 100;  // what walks the values recurses
constexpr std::size_t kMostBytes = std::size_t{1} << 28;
constexpr std::size_t kShown = 120;

/// Follows the parser over the text, without making values of it, and refuses what must not become one. (A callback of
/// Json::parse could do so as well, but looks through a whole list at the end of each of its members.)
class Guard : public nlohmann::json_sax<Json> {
 public:
  bool start_object(std::size_t) override {
    keys_.emplace_back();
    return deeper();
  }
  bool key(std::string& name) override {
    if (!keys_.back().insert(name).second)
      throw InputError(fmt::format("the key {} occurs twice in one object; remove one", shown(name)));
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override { return deeper(); }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
    return false;  // the parser that makes values reports it in its own words
  }

 private:
  bool deeper() {
    if (++depth_ > kMostLevels)
      throw InputError(fmt::format("it nests more than {} levels deep; flatten it", kMostLevels));
    return true;
  }

  int depth_ = 0;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

/// Where the text ends to be JSON, and why, without the parser's own name for it: "[json.exception…] parse error at ".
std::string reason(const Json::exception& error) {
  std::string_view text = error.what();
  for (const std::string_view before : {"] ", "parse error at "})
    if (const auto found = text.find(before); found != text.npos) text.remove_prefix(found + before.size());
  return shortened(std::string(text));
}

}  // namespace

std::string shortened(const std::string& text) { return utf8_prefix(text, kShown); }

std::string shown(const Json& value) { return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

Index whole_value(const Json& value, Index largest) {
  const bool positive = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  const bool fits = positive && value.get<std::uint64_t>() <= static_cast<std::uint64_t>(largest);
  if (!fits) throw InputError(fmt::format("{} stands where a whole number from 0 to {} must", shown(value), largest));
  return value.get<Index>();
}

int count_value(const Json& value) { return static_cast<int>(whole_value(value, std::numeric_limits<int>::max())); }

std::vector<Index> whole_values(const Json& list) {
  if (!list.is_array()) throw InputError(fmt::format("{} stands where a list of whole numbers must", shown(list)));
  std::vector<Index> values;
  for (const Json& value : list) values.push_back(whole_value(value));
  return values;
}

Json parse_json(std::string_view text, const std::string& what) {
  Guard guard;
  try {
    Json::sax_parse(text, &guard);
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{} is not JSON: {}", what, reason(error)));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", what, error.what()));
  }
}

Json parse_json(std::istream& stream, const std::string& what) {
  std::string text;
  char block[1 << 16];
  while (stream.read(block, sizeof(block)) || stream.gcount() > 0) {
    text.append(block, stream.gcount());
    if (text.size() > kMostBytes)
      throw InputError(fmt::format("{} is larger than {} MB; is it the right file?", what, kMostBytes >> 20));
  }
  if (!stream.eof() && errno == ENOMEM) throw std::bad_alloc();  // streams keep it to themselves
  if (!stream.eof()) throw InputError(fmt::format("{} cannot be read; check the file", what));
  return parse_json(text, what);
}

}  // namespace spicymkl
