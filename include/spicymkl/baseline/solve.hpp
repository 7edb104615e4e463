// The four classical wrapper methods, with the same answer, proof and history as our own solver.
#pragma once

#include "spicymkl/regularizer/regularizer.hpp"
#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// What the solver cannot solve is an InputError. It can be known before there are kernels.
void check_solver(SolverKind solver, std::string_view loss, const Regularizer& regularizer, bool fit_intercept);

/// Solves a block1 problem with the hinge loss by the wrapper method that the settings name: weights on the simplex
/// around an SVM, for the squared formulation (C̃/2)(Σ‖f_m‖)² of Eq. (5) with C̃ = alpha/Σ‖f_m*‖. The sum Σ‖f_m*‖ is
/// taken from our own solver beforehand; that is not part of the time of the run.
///
/// A record's primal, dual and gap are those of the squared formulation, as the paper computes them for these methods
/// (Section 6.1); its newton_steps count SVMs. The certificate is that of the block1 problem, and `converged` means
/// that it meets the tolerance. Another loss, another penalty, sample weights, or no intercept is an InputError.
Result solve_baseline(const Problem& problem, const Settings& settings, const WarmStart& warm_start = {});

/// Solves by whichever solver the settings name. Where the kernels of `problem` are approximations, `exact` holds them
/// exactly, else it is null; the certificate is that of the exact kernels, and a baseline reads no others.
Result solve_by_name(const Problem& problem, const std::shared_ptr<const KernelBank>& exact, const Settings& settings,
                     const WarmStart& warm_start = {});

}  // namespace spicymkl
