// The file a model lives in.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "spicymkl/model/model.hpp"

namespace spicymkl {

/// One safetensors file: tensors, and a JSON string "spicymkl" in its metadata with the format version, the problem,
/// the kernels, the preparation of the table, the classes and a summary of the certificate.
std::string to_bytes(const Model& model);
/// The same, one piece after the other: a model of a large table is never in memory twice.
void write_model(const Model& model, int threads, const std::function<void(std::string_view)>& sink);

/// Every number of the model is back to the bit. An unreadable, truncated, foreign, damaged or newer file is an
/// InputError that says so.
Model load_model(const std::string& path);
/// The same from memory; `source` names it in messages.
Model model_from_bytes(std::string_view bytes, const std::string& source);

}  // namespace spicymkl
