// The part of a model file that a table fills.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/safetensors.hpp"
#include "spicymkl/model/table_model.hpp"

namespace spicymkl {

/// Appends the JSON part to the text, and adds the tensors.
void append_table_model(const TableModel& model, TensorFile& file, std::string& text);

/// Parts that are missing or disagree are an exception: json::exception, std::out_of_range or InputError.
TableModel table_model_from_file(const nlohmann::json& json, const TensorFile& file);

}  // namespace spicymkl
