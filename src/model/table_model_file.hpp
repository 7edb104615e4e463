// The part of a model file that a table fills.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/safetensors.hpp"
#include "spicymkl/model/table_model.hpp"

namespace spicymkl {

/// Returns the JSON part, as text, and adds the tensors.
std::string table_model_to_file(const TableModel& model, TensorFile& file);

/// Parts that are missing or disagree are an exception: json::exception, std::out_of_range or InputError.
TableModel table_model_from_file(const nlohmann::json& json, const TensorFile& file);

}  // namespace spicymkl
