// exp(−‖x − z‖₁ / width)
#include "exponential.hpp"
#include "types.hpp"

namespace spicymkl {

KernelType laplacian_kernel() {
  return {"laplacian",
          "exp(−‖x − z‖₁ / width)",
          Base::l1_distance,
          ColumnKind::numeric,
          {{"width", ParameterDomain::positive, {}}},
          [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
            return std::make_unique<Exponential>(1 / p.at("width"));
          }};
}

}  // namespace spicymkl
