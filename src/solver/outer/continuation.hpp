// Two runs on one problem, reported as one: another method takes over where the first got stuck.
#pragma once

#include "spicymkl/solver/result.hpp"

namespace spicymkl {

/// `later` with the better of both models, the history of both, the work and the stages of both. Converged where their
/// gap together is within tol.
Result continued(Result earlier, Result later, double tol);

}  // namespace spicymkl
