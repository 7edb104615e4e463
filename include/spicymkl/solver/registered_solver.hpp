// Solvers beside our own, chosen by their names: those of spicymkl_baselines, or of a program that uses the library.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/regularizer/regularizer.hpp"
#include "spicymkl/solver/result.hpp"
#include "spicymkl/solver/settings.hpp"

namespace spicymkl {

class RegisteredSolver {
 public:
  virtual ~RegisteredSolver() = default;
  virtual std::string_view name() const = 0;
  /// What it cannot solve is an InputError. It can be known before there are kernels.
  virtual void check(std::string_view loss, const Regularizer& regularizer, bool fit_intercept) const = 0;
  /// Like solve() of solver/solve.hpp.
  virtual Result solve(const Problem& problem, const Settings& settings, const WarmStart& warm_start) const = 0;
};

/// From then on it can be chosen by its name; a name that is taken is a std::logic_error. To be called at the start of
/// a program, before there are threads.
void register_solver(std::shared_ptr<const RegisteredSolver> solver);

/// All names: our own, then those that were registered.
std::vector<std::string> solver_names();

/// An unknown name is an InputError that lists them.
void choose_solver(std::string_view name, Settings& settings);

}  // namespace spicymkl
