// exp(−‖x − z‖² / (2 width²))
#include "exponential.hpp"
#include "kernel/spectral_draws.hpp"
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
          },
          [](const KernelParameters& p, Index n_columns, Index count, std::uint64_t seed) -> Matrix {
            RandomDraws draws(seed);
            return orthogonal_normals(n_columns, count, draws) / p.at("width");
          }};
}

}  // namespace spicymkl
