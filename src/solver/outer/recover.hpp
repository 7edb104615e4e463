// From the proximal iterate, with its own vector α_m for every kernel, to the stored form with one vector for all.
#pragma once

#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// The iterate of the proximal loop.
struct Iterate {
  Vector dual;
  std::vector<Index> kernels;  ///< with α_m ≠ 0
  Vector norms;                ///< ‖α_m‖ of these
  Matrix unpenalised;
  Matrix multipliers;
  std::shared_ptr<const RoughCholesky> newton = {};  ///< of its last Newton system, for those of models near it
};

/// ‖α_m‖ of the kernels of a start: reads these.
Vector start_norms(const Problem& problem, const WarmStart& start);

/// Where a run begins that starts from `start`: reads the kernels with α_m ≠ 0.
Iterate iterate_at(const Problem& problem, const WarmStart& start);

/// The model of that start; without one, the best constant.
Expansion first_model(const Problem& problem, const WarmStart& start);

/// A model as a point to start from, without multipliers.
WarmStart start_at(const Expansion& model);

/// The gap of the result is within the tolerance: so it says.
void call_converged(Result& result, double tol);

/// Gives `later`, of the same problem, the model of `earlier` if its primal value is smaller, and its bound if that is
/// larger. (Gaps would not do: beside an optimum of 0 every model has a relative gap of 1.) Model and bound together
/// may meet the tolerance where neither did: that is converged too.
void keep_better_model(Result& earlier, Result& later, double tol);

/// α_m ← (‖α_m‖/‖ρ‖_Km) ρ. Exact at the optimum, cheap, but before it sometimes far off.
Expansion share_direction(const Problem& problem, const Iterate& iterate);

/// Fixes the weights d_m = d(‖α_m‖) and solves the one-kernel problem with Σd_mK_m, whose solution is α_m = (d_m/alpha)
/// ρ. Where g is concave its objective is no larger than the iterate's, because Σ alpha‖f_m‖²/(2d_m) + const bounds the
/// penalty from above with equality at the iterate (Section 4.1, Eq. (44)).
Expansion fix_weights(const Problem& problem, const Iterate& iterate, double tol);

/// The same with weights changed so that the norms of `model`, an earlier answer of these functions, come nearer to the
/// iterate's: for a G so steep that d(x) says little about x.
Expansion match_norms(const Problem& problem, const Iterate& iterate, const Expansion& model, double tol);

}  // namespace spicymkl
