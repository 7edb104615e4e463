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

double Model::seconds() const {
  double sum = 0;
  for (const Fit& fit : fits) sum += fit.seconds;
  return sum;
}

}  // namespace spicymkl
