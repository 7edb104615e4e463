#include "spicymkl/model/model.hpp"

#include <algorithm>

namespace spicymkl {

bool Model::converged() const {
  return std::all_of(fits.begin(), fits.end(), [](const Fit& fit) { return fit.converged(); });
}

std::string Model::status() const {
  for (const Fit& fit : fits)
    if (!fit.converged()) return fit.status;
  return std::string(to_string(Status::converged));
}

Index Model::n_outputs() const {
  Index sum = 0;
  for (const Fit& fit : fits) sum += fit.n_outputs();
  return sum;
}

int Model::format_version() const {
  if (is_survival() || covariates.count() > 0) return 4;
  if (n_outputs() > std::ssize(fits) || !targets.empty()) return 3;
  return table && table->preparation.views.several() ? 2 : 1;
}

double Model::seconds() const {
  double sum = 0;
  for (const Fit& fit : fits) sum += fit.seconds;
  return sum;
}

}  // namespace spicymkl
