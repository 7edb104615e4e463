// What users do with a model, done with one that anyone may have written.
#pragma once

#include "spicymkl/model/model.hpp"

namespace spicymkl::fuzz {

/// Inspects it, proves it, stores it and predicts with it: finite numbers, or a refusal.
void use_model(const Model& model);

}  // namespace spicymkl::fuzz
