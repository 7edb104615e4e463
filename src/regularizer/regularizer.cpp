#include "spicymkl/regularizer/regularizer.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "core/named_table.hpp"
#include "types.hpp"

namespace spicymkl {

double Regularizer::envelope(double v, double gamma) const {
  // Moreau, Eq. (23): v²/2 minus the optimal value of the prox problem, written without subtracting large squares.
  const double x = prox(v, gamma);
  return x * (v - 0.5 * x) - gamma * value(x);
}

CurvedValue Regularizer::weight_price(double) const {
  throw std::logic_error(fmt::format("regulariser {} has no price of kernel weights", name()));
}

double Regularizer::conjugate_slope(double) const {
  throw std::logic_error(fmt::format("regulariser {} has no smooth dual", name()));
}

double Regularizer::conjugate_curvature(double) const {
  throw std::logic_error(fmt::format("regulariser {} has no smooth dual", name()));
}

const std::vector<RegularizerType>& regularizer_types() {
#define PENALTY(name) name##_penalty(),
  static const std::vector<RegularizerType> types = {
#include "penalties.def"
  };
#undef PENALTY
  return types;
}

std::vector<std::string> selecting_penalties() {
  std::vector<std::string> names;
  for (const RegularizerType& type : regularizer_types())
    if (type.make({})->threshold() > 0) names.push_back(type.name);
  return names;
}

const RegularizerType& regularizer_type(std::string_view name) {
  return get_named(regularizer_types(), name, "penalty");
}

std::unique_ptr<Regularizer> make_regularizer(std::string_view name, const RegularizerParameters& parameters) {
  return regularizer_type(name).make(parameters);
}

}  // namespace spicymkl
