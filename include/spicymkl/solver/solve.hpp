// The entry of the library: a problem in, a certified answer out.
#pragma once

#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// What the solver of the settings cannot solve is an InputError. It can be known before there are kernels.
void check_solver(const Settings& settings, std::string_view loss, const Regularizer& regularizer, bool fit_intercept);

/// Solves with the solver that the settings name; `automatic` is the plan of strategy.hpp. Not converging is a Status,
/// a mistake in the settings an InputError.
Result solve(const Problem& problem, const Settings& settings = {}, const WarmStart& warm_start = {});

/// The same when the kernels of `problem` are approximations and `exact` holds them exactly: solves the cheap problem,
/// then takes the certificate on the exact kernels. Should it not hold there, the exact problem is solved from that
/// start. A registered solver has the exact kernels from the beginning. `exact` is null where `problem` has them.
Result solve_on_exact(const Problem& problem, const std::shared_ptr<const KernelBank>& exact,
                      const Settings& settings = {}, const WarmStart& warm_start = {});

}  // namespace spicymkl
