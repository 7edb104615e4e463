// The part of a model file that is about survival times.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "io/safetensors.hpp"
#include "spicymkl/model/survival.hpp"

namespace spicymkl {

/// Adds the tensors to the file and returns the rest.
nlohmann::json survival_to_file(const Survival& survival, TensorFile& file);
Survival survival_from_file(const nlohmann::json& json, const TensorFile& file);

/// A file that was tampered with is an InputError.
void check_survival(const Survival& survival, Index n_samples);

}  // namespace spicymkl
