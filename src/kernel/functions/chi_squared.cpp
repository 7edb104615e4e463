// exp(−gamma Σ (x − z)² / (x + z)) on values ≥ 0, as scikit-learn's chi2_kernel.
#include "exponential.hpp"
#include "types.hpp"

namespace spicymkl {

KernelType chi_squared_kernel() {
  return {"chi_squared",
          "exp(−gamma·Σ (x − z)² / (x + z)), for columns that are not negative: switch standardisation off",
          Base::chi_squared_distance,
          ColumnKind::non_negative,
          {{"gamma", ParameterDomain::positive, 1.0}},
          [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
            return std::make_unique<Exponential>(p.at("gamma"));
          }};
}

}  // namespace spicymkl
