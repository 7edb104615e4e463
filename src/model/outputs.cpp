#include "spicymkl/model/outputs.hpp"

namespace spicymkl {

std::vector<Output> outputs_of(const std::vector<Fit>& fits) {
  std::vector<Output> outputs;
  for (std::size_t f = 0; f < fits.size(); ++f)
    for (Index k = 0; k < fits[f].n_outputs(); ++k) outputs.push_back({f, k});
  return outputs;
}

Matrix duals_of(const std::vector<Fit>& fits) {
  const std::vector<Output> outputs = outputs_of(fits);
  Matrix duals(fits.empty() ? 0 : fits.front().dual().size(), std::ssize(outputs));
  for (Index column = 0; column < duals.cols(); ++column)
    duals.col(column) = fits[outputs[column].fit].dual(outputs[column].output);
  return duals;
}

std::string output_name(const Model& model, Index column) {
  if (!model.targets.empty()) return model.targets[column];
  return model.classes.size() > 2 ? model.classes[column] : "";
}

}  // namespace spicymkl
