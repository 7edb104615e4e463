// Gap-safe screening: a kernel that the duality gap proves to be zero at the optimum is read again only where the proof
// of the whole answer needs it.
#pragma once

#include "spicymkl/problem/certificate.hpp"

namespace spicymkl {

/// Where ℓ* is μ-strongly convex, the optimal ρ* lies within √(2·gap/μ) of a feasible ρ. So a kernel with
/// ‖ρ‖_Km + √(λmax(K_m)·2·gap/μ) below the threshold has no part in the optimum (docs/mathematics.md, after Ndiaye et
/// al. 2017). In place of λmax stands the trace, which is never less and costs nothing.
class Screening {
 public:
  /// Off: every kernel is read every time.
  Screening(const Problem& problem, bool on);

  /// As dual_bound, with a proof for all kernels. A kernel known to be zero is bounded from where it was last read,
  /// ‖ρ‖_Km ≤ ‖ρ′‖_Km + √trace(K_m)·‖ρ − ρ′‖, and read only where that leaves its constraint in doubt.
  DualBound bound_by(ConstVectorRef rho);

  /// Takes note of what a bound made by this object and a primal value prove.
  void update(const DualBound& bound, double primal);

  Index n_zero() const { return n_zero_; }
  bool zero(Index kernel) const { return zero_[kernel]; }

 private:
  /// Norms of these kernels at ρ, which becomes their point of reference.
  void read(const std::vector<Index>& kernels, const Vector& rho);
  double radius_bound(Index kernel, double distance) const;

  const Problem& problem_;
  bool on_;
  double convexity_;  // μ of the whole conjugate loss
  std::vector<bool> zero_;
  Index n_zero_ = 0;
  std::vector<Vector> references_;  // the ρ′ that kernels were read at
  std::vector<std::size_t> reference_;
  Vector squares_;  // ‖ρ′‖²_Km
};

}  // namespace spicymkl
