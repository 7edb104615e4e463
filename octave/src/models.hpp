// Models as structs: what a reader wants to see of one, and the bytes of its file, which are the model itself.
#pragma once

#include "spicymkl/model/model.hpp"
#include "spicymkl/solver/result.hpp"
#include "values.hpp"

namespace spicymkl::octave {

/// `histories` of its fits; none for a model that comes from a file.
mxArray* from_model(const Model& model, const std::vector<History>& histories);
Model to_model(const mxArray* value);

/// One value of each fit.
template <class Value>
Eigen::RowVectorXd row_of(const std::vector<Fit>& fits, const Value& value) {
  Eigen::RowVectorXd row(std::ssize(fits));
  for (Index f = 0; f < row.size(); ++f) row(f) = value(fits[static_cast<std::size_t>(f)]);
  return row;
}

/// Of every kernel, a column per fit: 0 where it is not active.
Matrix weights_of(const std::vector<Fit>& fits, Index n_kernels);
Matrix scales_of(const std::vector<Fit>& fits, Index n_kernels);
/// One of each output.
Eigen::RowVectorXd intercepts_of(const std::vector<Fit>& fits);

/// labels, scores and, where the loss gives them, probabilities.
std::vector<mxArray*> predict(const Model& model, const mxArray* samples);

/// Numbers where all classes are numbers, as training had them.
mxArray* from_classes(const std::vector<std::string>& classes, const std::vector<Index>& codes);

}  // namespace spicymkl::octave
