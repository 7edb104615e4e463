#include "stored_object.hpp"

namespace spicymkl {

nlohmann::json stored_header(const StoredKind& kind, const TensorFile& file, const std::string& path) {
  const auto text = file.metadata.find(kind.metadata_key);
  if (text == file.metadata.end()) throw InputError(fmt::format("'{}' is {}", path, kind.if_foreign));
  nlohmann::json header = read_stored(kind, path, [&] { return parse_json(text->second, "its header"); });
  const Index version = read_stored(kind, path, [&] { return whole_value(header.at("format_version")); });
  if (version > kind.version)
    throw InputError(fmt::format("'{}' is a {} of format {}, but this program reads up to {}; use a newer SpicyMKL",
                                 path, kind.name, version, kind.version));
  return header;
}

}  // namespace spicymkl
