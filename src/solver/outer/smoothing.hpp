// Losses with kinks, made smooth: the layer around a solver that knows smooth problems only.
#pragma once

#include <functional>

#include "run.hpp"

namespace spicymkl {

/// Solves a problem whose loss is smooth, to the tolerance of the settings, from a start.
using SmoothSolver = std::function<Result(const Problem&, const Settings&, const WarmStart&)>;

/// Solves with a loss that is smooth over a narrow width, and proves the answer for the loss itself: dual values of the
/// one are feasible for the other. Should the gap be too large the width was, and the next one follows from it.
Result solve_smoothed(const Problem& problem, const Settings& settings, const WarmStart& start,
                      const SmoothSolver& solve);

}  // namespace spicymkl
