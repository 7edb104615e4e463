// Models as structs: what a reader wants to see of one, and the bytes of its file, which are the model itself.
#pragma once

#include "spicymkl/model/model.hpp"
#include "spicymkl/solver/result.hpp"
#include "values.hpp"

namespace spicymkl::octave {

/// `histories` of its fits; none for a model that comes from a file.
mxArray* from_model(const Model& model, const std::vector<History>& histories);
Model to_model(const mxArray* value);

/// A column per fit, of every kernel: 0 where it is not active.
Vector spread(const Fit& fit, const Vector& of_active, Index n_kernels);

/// labels, scores and, where the loss gives them, probabilities.
std::vector<mxArray*> predict(const Model& model, const mxArray* samples);

/// Numbers where all classes are numbers, as training had them.
mxArray* from_classes(const std::vector<std::string>& classes, const std::vector<Index>& codes);

}  // namespace spicymkl::octave
