// The proof that comes with every answer: primal value, feasible dual value, relative gap, recomputed from the stored model.
#pragma once

#include <vector>

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// A model in the form it is stored: one vector, one number for each active kernel, the intercept.
/// f_m(x) = scale_k Σ_i dual_i k_m(x_i, x) for m = kernels(k), and f = Σ f_m + intercept.
struct Expansion {
  Vector dual;
  std::vector<Index> kernels;
  Vector scale;
  double intercept = 0;
};

/// A dual vector that satisfies every constraint, with what it proves.
struct DualBound {
  Vector dual;
  double value = -std::numeric_limits<double>::infinity();
  Vector norms;      ///< ‖ρ‖_Km of every kernel, before scaling
  double scale = 1;  ///< dual = scale·(ρ made feasible)
};

/// The bound that ρ yields: made feasible, then scaled by the best factor in (0, 1]. One pass over all kernels.
DualBound dual_bound(const Problem& problem, ConstVectorRef rho);

struct Certificate {
  double primal = 0;
  double dual_objective = 0;
  double relative_gap = 0;
  Vector dual;   ///< the feasible point that proves dual_objective
  Vector norms;  ///< ‖f_m‖ of the active kernels, in the order of the expansion
};

/// (P − D)/P; 0 when P ≤ D.
double relative_gap(double primal, double dual);

/// Primal value of an expansion and the norms of its kernels. Reads the active kernels only.
struct PrimalValue {
  double value;
  Vector norms;
};
PrimalValue primal_value(const Problem& problem, const Expansion& expansion);

/// The certificate of an expansion, computed from scratch with its own dual vector: one pass over all kernels.
Certificate certify(const Problem& problem, const Expansion& expansion);
/// The same with a bound that dual_bound has proved for this problem: reads the active kernels only.
Certificate certify(const Problem& problem, const Expansion& expansion, DualBound bound);

/// How far an expansion is from the optimality conditions, relative to the data's scale: the largest of
/// |1ᵀρ|/‖ρ‖₁ and the distances of the norms to the subdifferential, x_m against ∂G*(‖ρ‖_Km), with ρ the loss's dual
/// vector at the predictions.
double optimality_residual(const Problem& problem, const Expansion& expansion);

}  // namespace spicymkl
