// Newton's method for the inner objective (Section 3.3), step 2 of Tables 1 and 2.
#pragma once

#include <functional>

#include "inner_objective.hpp"
#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// When an inner minimisation is exact enough. The decrement λ²/2 estimates φ(ρ) − min φ.
struct InnerTolerance {
  double of_movement = 0;  ///< stop when λ²/2 is below this part of the proximity terms (Rockafellar 1976, criterion B)
  double absolute = 0;     ///< or below this
};

class NewtonMinimizer {
 public:
  /// curvature_unit: size of a typical second derivative of the conjugate loss, prediction scale over dual scale.
  NewtonMinimizer(const Problem& problem, double curvature_unit, double prediction_scale, const Settings& settings);

  /// Moves φ's point to its minimiser, or until `enough`, asked after every step, says so; returns the number of Newton
  /// steps.
  int minimise(InnerObjective& phi, const InnerTolerance& tolerance, Timers& timers,
               const std::function<bool()>& enough = {});

  /// Of the Newton system, for the next run over the same samples.
  std::shared_ptr<const RoughCholesky> hand_on() const { return system_->hand_on(); }
  void take_over(std::shared_ptr<const RoughCholesky> factor) { system_->take_over(std::move(factor)); }

 private:
  /// Solves for the Newton direction and the new multipliers of the constraints; false when no system can be factored.
  [[nodiscard]] bool find_direction(InnerObjective& phi);
  [[nodiscard]] bool factor(const InnerObjective& phi);
  /// Where some samples alone would leave the domain of their conjugates soon, they stop short of the boundary, and
  /// need not hold back the others: with kernels much larger than alpha a Newton step is wrong about them by far.
  void bend_at_boundary(const InnerObjective& phi);
  /// Short steps ask for more damping, full ones for less, as in the method of Levenberg and Marquardt.
  void adapt_damping(double step);

  std::unique_ptr<NewtonSystem> system_;
  double curvature_unit_;
  double prediction_scale_;
  const Settings& settings_;
  double damping_;  // of directions in which the objective has no curvature of its own
  KernelTerms::Hessian hessian_;
  Vector diagonal_;
  Matrix solution_;  // as solve_within has it
  Matrix change_;    // of what is not penalised
  Vector direction_;
};

}  // namespace spicymkl
