// exp(−‖x − z‖₁ / width)
#include "exponential.hpp"
#include "kernel/spectral_draws.hpp"
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
          },
          [](const KernelParameters& p, Index n_columns, Index count, std::uint64_t seed) -> Matrix {
            RandomDraws draws(seed);
            const double rate = 1 / p.at("width");
            return Matrix::NullaryExpr(n_columns, count, [&] { return rate * cauchy(draws); });
          }};
}

}  // namespace spicymkl
