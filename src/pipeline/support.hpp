// Which samples a model needs.
#pragma once

#include "spicymkl/solver/result.hpp"

namespace spicymkl {

/// Losses such as hinge have optimal dual values that are exactly 0 for most samples, where a solver leaves a small
/// rest. Sets such rests to 0, as many as raise the objective of a converged result by no more than a hundredth of tol,
/// so that the model keeps and predicts from fewer rows. The certificate is that of the new model. Reads active kernels
/// only.
void drop_idle_samples(const Problem& problem, double tol, Result& result);

}  // namespace spicymkl
