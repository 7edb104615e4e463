// A fit as part of a file.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/safetensors.hpp"
#include "spicymkl/model/fit.hpp"

namespace spicymkl {

/// Returns the JSON part and adds the tensors, whose names begin with `names`.
nlohmann::json fit_to_file(const Fit& fit, const std::string& names, TensorFile& file);

/// Parts that are missing are an exception: json::exception or std::out_of_range.
Fit fit_from_file(const nlohmann::json& json, const std::string& names, const TensorFile& file);

/// Throws InputError when its parts do not fit together: a file that was tampered with must not lead to reading past
/// the end of anything.
void check_fit(const Fit& fit, Index n_samples, Index n_kernels);

}  // namespace spicymkl
