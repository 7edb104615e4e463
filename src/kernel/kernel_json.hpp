// A fitted kernel as JSON, for model files. Including it takes nlohmann-json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "spicymkl/kernel/fitted_kernel.hpp"

namespace spicymkl {

/// {"type", "parameters", "columns" (indices), "normalize", "jitter", "name", "group"} and the fitted constants,
/// "trace" or "row_means" and "grand_mean"; of a kernel by features "features" and, beside them, what they leave out,
/// "missing". Doubles keep every bit.
nlohmann::json fitted_kernel_to_json(const FittedKernel& kernel);

/// What does not describe a kernel is an InputError. `features` are the constants of a kernel by features.
FittedKernel fitted_kernel_from_json(const nlohmann::json& json, FeatureConstants features = {});

}  // namespace spicymkl
