// Losses whose proofs are given at the model's own predictions.
#pragma once

#include "spicymkl/solver/solve.hpp"

namespace spicymkl {

/// See JointLoss::conjugate_bound.
bool is_proved_at_predictions(const Problem& problem);

/// Solves until the gap is proved there. Solvers prove by the best dual vector that they have met, which proves more
/// than the gradient at the model that they hand back: where that is not enough they are asked for a smaller gap.
Result solve_to_own_proof(const Problem& problem, const std::shared_ptr<const KernelBank>& exact, const Settings& asked,
                          const WarmStart& start);

}  // namespace spicymkl
