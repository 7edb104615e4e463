// exp(−‖x − z‖² / (2 width²))
#include "exponential.hpp"
#include "types.hpp"

namespace spicymkl {

KernelType gaussian_kernel() {
  return {"gaussian",
          "exp(−‖x − z‖² / (2·width²))",
          Base::squared_distance,
          ColumnKind::numeric,
          {{"width", ParameterDomain::positive, {}}},
          [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
            const double width = p.at("width");
            return std::make_unique<Exponential>(0.5 / (width * width));
          }};
}

}  // namespace spicymkl
