// exp(−‖x − z‖₁ / width)
#include "exponential.hpp"
#include "functions.hpp"

namespace spicymkl {

const KernelType& laplacian_type() {
  static const KernelType type{"laplacian",
                               Base::l1_distance,
                               ColumnKind::numeric,
                               {{"width", ParameterDomain::positive, {}}},
                               [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
                                 return std::make_unique<Exponential>(1 / p.at("width"));
                               }};
  return type;
}

}  // namespace spicymkl
