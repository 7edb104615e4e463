// exp(−‖x − z‖² / (2 width²))
#include "exponential.hpp"
#include "functions.hpp"

namespace spicymkl {

const KernelType& gaussian_type() {
  static const KernelType type{"gaussian",
                               Base::squared_distance,
                               ColumnKind::numeric,
                               {{"width", ParameterDomain::positive, {}}},
                               [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
                                 const double width = p.at("width");
                                 return std::make_unique<Exponential>(0.5 / (width * width));
                               }};
  return type;
}

}  // namespace spicymkl
