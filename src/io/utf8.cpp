#include "spicymkl/io/utf8.hpp"

#include <nlohmann/json.hpp>

namespace spicymkl {

bool is_utf8(std::string_view text) {
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace spicymkl
