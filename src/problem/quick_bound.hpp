// Proofs that cost no pass over the kernels: for a run that is interrupted before it has a better one.
#pragma once

#include <optional>

#include "spicymkl/problem/certificate.hpp"

namespace spicymkl {

/// Of a feasible ρ, upper bounds of ‖ρ‖²_Km.
Vector quick_squared_norms(const Problem& problem, const Vector& rho);

/// The bound that ρ yields by ‖ρ‖_Km ≤ √trace(K_m)·‖ρ‖ in place of the norms themselves. Finite and proved, but weak.
DualBound quick_dual_bound(const Problem& problem, ConstVectorRef rho);

/// The best constant: no kernel, no sample is kept.
Expansion constant_expansion(const Problem& problem);

/// The certificate for the kernels of `truth` of a model whose primal value and bound were found on a bank that leaves
/// out a known part of them. What is left out is added on either side, so that the proof holds; no kernel is read. None
/// where it is not known how much is left out, or what the model predicts.
std::optional<Certificate> carried_certificate(const Problem& truth, const KernelBank& approximate,
                                               const Expansion& model, const Certificate& found,
                                               const DualBound& bound);

}  // namespace spicymkl
