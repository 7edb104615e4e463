// What models and checkpoints have in common: tensors and a JSON header in one safetensors file.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "io/json_text.hpp"
#include "io/safetensors.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

struct StoredKind {
  std::string name;          ///< as messages call it
  std::string metadata_key;  ///< under which the header is found
  Index version;             ///< the newest that can be read
  std::string if_foreign;    ///< what is said of a file without the header
  std::string if_damaged;    ///< what to do about it
};

/// What `read` returns; whatever it finds missing or wrong is reported as damage of the file.
template <class Read>
auto read_stored(const StoredKind& kind, const std::string& path, const Read& read) {
  const auto damaged = [&](const std::string& why) {
    return InputError(fmt::format("'{}' is a damaged {}: {}; {}", path, kind.name, why, kind.if_damaged));
  };
  try {
    return read();
  } catch (const InputError& error) {
    throw damaged(error.what());
  } catch (const nlohmann::json::exception& error) {
    throw damaged(shortened(error.what()));
  } catch (const std::logic_error&) {  // out_of_range of a map, invalid_argument of stol
    throw damaged("a part is missing");
  }
}

/// The header of a file of this kind, of a version that can be read.
nlohmann::json stored_header(const StoredKind& kind, const TensorFile& file, const std::string& path);

}  // namespace spicymkl
