// exp(−gamma Σ (x − z)² / (x + z)) on values ≥ 0, as scikit-learn's chi2_kernel.
#include "exponential.hpp"
#include "functions.hpp"

namespace spicymkl {

const KernelType& chi_squared_type() {
  static const KernelType type{"chi_squared",
                               Base::chi_squared_distance,
                               ColumnKind::non_negative,
                               {{"gamma", ParameterDomain::positive, 1.0}},
                               [](const KernelParameters& p) -> std::unique_ptr<KernelFunction> {
                                 return std::make_unique<Exponential>(p.at("gamma"));
                               }};
  return type;
}

}  // namespace spicymkl
