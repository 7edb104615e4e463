// The four classical wrapper methods, with the same answer, proof and history as our own solver: the library
// SpicyMKL::spicymkl_baselines.
#pragma once

namespace spicymkl {

/// Registers silp, simplemkl, levelmkl and hessianmkl (solver/registered_solver.hpp). Calling it again does nothing.
///
/// Each solves a block1 problem with the hinge loss: weights on the simplex around an SVM, for the squared formulation
/// (C̃/2)(Σ‖f_m‖)² of Eq. (5) with C̃ = alpha/Σ‖f_m*‖. The sum Σ‖f_m*‖ is taken from our own solver beforehand; that is
/// not part of the time of the run.
///
/// A record's primal, dual and gap are those of the squared formulation, as the paper computes them for these methods
/// (Section 6.1); its newton_steps count SVMs. The certificate is that of the block1 problem, and `converged` means
/// that it meets the tolerance. Another loss, another penalty, sample weights, or no intercept is an InputError.
void register_baselines();

}  // namespace spicymkl
