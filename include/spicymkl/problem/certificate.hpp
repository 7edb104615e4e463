// The proof that comes with every answer: primal value, feasible dual value, relative gap, recomputed from the stored
// model.
#pragma once

#include <vector>

#include "spicymkl/problem/problem.hpp"

namespace spicymkl {

/// A model in the form it is stored: one vector, one number for each active kernel, and what is not penalised.
/// f_m(x) = scale_k Σ_i dual_i k_m(x_i, x) for m = kernels(k), and f = Σ f_m + intercept + covariates. With several
/// outputs `dual` holds those of one output after those of another, and so for each of them.
struct Expansion {
  Vector dual;
  std::vector<Index> kernels;
  Vector scale;
  Matrix unpenalised = Matrix(0, 1);  ///< a column per output: the intercept, if it is fitted, then the covariates
};

/// A dual vector that satisfies every constraint, with what it proves, the rounding of the sums taken off. It is finite
/// whatever ρ was: ρ = 0 is feasible, and proves 0 for a loss that is never negative. Only the functions below make
/// one; all but dual_bound_from, which takes the norms on trust, read the kernels themselves.
class DualBound {
 public:
  DualBound() = default;  ///< proves nothing
  double value() const { return value_; }
  const Vector& dual() const { return dual_; }
  /// ‖ρ‖_Km of every kernel at the feasible ρ before scaling, with the rounding allowance added; where not every kernel
  /// was read exactly, an upper bound of it.
  const Vector& norms() const { return norms_; }
  /// dual() = scale()·(ρ made feasible)
  double scale() const { return scale_; }

 private:
  friend DualBound dual_bound_from(const Problem& problem, Vector feasible, Vector squared_norms);
  double value_ = -std::numeric_limits<double>::infinity();
  Vector dual_;
  Vector norms_;
  double scale_ = 1;
};

/// The bound that ρ yields: made feasible, then scaled by the best factor in (0, 1]. One pass over all kernels.
DualBound dual_bound(const Problem& problem, ConstVectorRef rho);

/// How far a form ρᵀKρ may be off by rounding, as a multiple of the kernel's trace.
double rounding_of_forms(const Vector& rho);

/// The bound of a ρ that is feasible but for its norms in the kernels, from their squares: reads no kernel, and proves
/// as much as these are true.
DualBound dual_bound_from(const Problem& problem, Vector feasible, Vector squared_norms);

/// The bound for the problem's own kernels, read from a bank that approximates them: what it leaves out is added to the
/// norms where it is known, and kernels of which nothing is known are read from the problem's bank.
DualBound dual_bound(const Problem& problem, const KernelBank& approximate, ConstVectorRef rho);

/// The same for several problems that differ in the strength of their regulariser alone, and a ρ for each (columns).
/// Every kernel is read or computed once for all of them.
std::vector<DualBound> dual_bounds(const std::vector<Problem>& problems, ConstMatrixRef rhos);

/// About what dual_bound would find, judged by norms of ρ that are known already, from before it is made feasible.
/// Reads no kernel and proves nothing: good for deciding when a bound is worth a pass.
double estimated_dual(const Problem& problem, ConstVectorRef rho, const Vector& norms);

/// Primal value of an expansion and the norms of its kernels.
struct PrimalValue {
  double value;
  Vector norms;
  Vector predictions = {};  ///< of the samples, with intercept; empty where they are not known
  double rounding = 0;      ///< the value in exact arithmetic exceeds `value` by at most so much
  double of_bound = 0;      ///< and so much is to be taken off a dual bound that is set beside it
  double largest() const { return value + rounding; }
};

struct Certificate {
  double primal = 0;
  double dual_objective = 0;
  double relative_gap = 0;
  Vector dual;                        ///< the feasible point that proves dual_objective
  Vector norms;                       ///< ‖f_m‖ of the active kernels, in the order of the expansion
  Vector predictions = {};            ///< of the samples; empty where they are not known
  double rounding = 0, of_bound = 0;  ///< as of PrimalValue
  PrimalValue primal_value() const { return {primal, norms, predictions, rounding, of_bound}; }
};

/// |P − D|/P. D above P can only be rounding, and then the difference tells how much of it there is. Infinite, never
/// NaN, where a value is not finite.
double relative_gap(double primal, double dual);

/// (P′ − D)/P′ with P′ = P + rounding: what is proved of the exact values, D being a bound with its own rounding taken
/// off. Where D exceeds P by more than rounding, which contradicts weak duality, the difference is shown and not
/// hidden.
double relative_gap(const PrimalValue& primal, double dual);

/// Model and certificate hold no NaN and no infinity, and the dual vector is there: what a solver may hand back.
bool is_finite(const Expansion& expansion, const Certificate& certificate);

/// Reads the active kernels only.
PrimalValue primal_value(const Problem& problem, const Expansion& expansion);
/// P of predictions and norms that are known already, without their rounding.
PrimalValue primal_value(const Problem& problem, Vector predictions, Vector norms);

/// The certificate of an expansion, computed from scratch with its own dual vector: one pass over all kernels.
Certificate certify(const Problem& problem, const Expansion& expansion);
/// The same with a bound proved before for this problem: reads the active kernels only.
Certificate certify(const Problem& problem, const Expansion& expansion, const DualBound& bound);
/// The same with both sides known.
Certificate certify(PrimalValue primal, const DualBound& bound);

/// The certificate at −s∇L of the model's own predictions, with the bound of the conjugate that others can evaluate
/// there (JointLoss::conjugate_bound): one pass over all kernels, or none where that is to be quick. s is 0 where the
/// predictions are not known.
enum class Pass { all_kernels, none };
Certificate certify_at_predictions(const Problem& problem, PrimalValue primal, Pass pass);

/// How far an expansion (f, b; ρ) is from the optimality conditions, as the largest relative violation of: ρ feasible;
/// Fenchel-Young equality of the loss at (z, ρ); ‖ρ‖_Km within the dual bound; Fenchel-Young equality of the penalty at
/// (‖f_m‖, ‖ρ‖_Km) for every kernel.
double optimality_residual(const Problem& problem, const Expansion& expansion);

}  // namespace spicymkl
