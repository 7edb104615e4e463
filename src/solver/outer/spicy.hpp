// SpicyMKL, the proximal loop of Tables 1 and 2.
#pragma once

#include "recover.hpp"
#include "run.hpp"
#include "scales.hpp"
#include "solver/inner/newton.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

/// The iterate (α, b, ξ; ρ) of the proximal loop and its two steps.
class ProximalLoop {
 public:
  ProximalLoop(const Problem& problem, const Settings& settings, const WarmStart& warm_start);

  /// Step 2: ρ ← argmin φ_γ(ρ; α, b, ξ), Eqs. (10), (41), (47). Returns the Newton steps taken. Ends early where the
  /// update seems to have a relative gap of `gap` already.
  int minimise_inner(double gap, Timers& timers);
  /// Step 3: α_m ← prox(α_m + γρ), ξ ← max(0, ξ + γ_ξ h), Eqs. (11), (40). b is at its new value already.
  void update_multipliers();
  /// Step 1: the next γ, for kernels and constraints alike: ten times as much, up to a limit. Departs
  /// from a sequence chosen beforehand: when the gap has stopped falling, rounding in α + γρ is in the way and γ goes
  /// back.
  void change_gamma(bool grow);

  const Vector& rho() const { return phi_.rho(); }
  /// ‖ρ‖_Km of every kernel, from products known already.
  Vector dual_norms() const { return phi_.kernels.dual_norms(); }
  double gamma() const { return phi_.kernels.gamma(); }
  /// P(α, b) of the current coefficients: no kernel is read.
  double primal() const { return primal_; }
  Index n_active() const { return std::ssize(kernels_); }
  Iterate iterate() const;
  WarmStart warm_start() const;

 private:
  double primal_at(Vector f, const Matrix& unpenalised, const Vector& norms) const;
  /// P of the coefficients that update_multipliers would set.
  double next_primal() const;
  /// Relative gap of that update, as far as it is known without reading a kernel.
  double estimated_gap() const;

  const Problem& problem_;
  Scales scales_;
  double first_gamma_;
  InnerObjective phi_;
  NewtonMinimizer newton_;
  std::vector<Index> kernels_;  // with α_m ≠ 0
  Vector norms_;                // ‖α_m‖
  double primal_ = 0;
};

Result solve_spicy(const Problem& problem, const Settings& settings, const WarmStart& warm_start = {},
                   const Role& role = {});

}  // namespace spicymkl
