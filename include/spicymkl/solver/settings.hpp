// What a caller may choose about the solution process. Every field has a default that needs no attention.
#pragma once

#include <functional>
#include <memory>

#include "spicymkl/core/watch.hpp"

namespace spicymkl {

/// Our own solvers.
enum class SolverKind {
  automatic,  ///< the quickest: see strategy.hpp
  spicy,      ///< Tables 1 and 2 of the paper
  onestep     ///< Section 4.3
};

class RegisteredSolver;

struct Record;

/// Sees each record as it is made; false stops the run, which then ends with Status::interrupted.
using Callback = std::function<bool(const Record&)>;

struct WarmStart;

/// Where a run stands; worked out only when called.
using Snapshot = std::function<WarmStart()>;

struct Settings {
  double tol = 1e-3;       ///< relative duality gap to reach
  int max_iter = 200;      ///< outer steps
  int max_newton = 200;    ///< Newton steps of one inner minimisation
  double max_seconds = 0;  ///< of one call of solve, after which it ends as soon as it is safe; 0: no limit
  SolverKind solver = SolverKind::automatic;
  std::shared_ptr<const RegisteredSolver> registered;  ///< solves in place of ours; see registered_solver.hpp
  Callback callback;
  std::function<void(const Snapshot&)>
      checkpoint;  ///< called after every outer step, also of rounds of the working set
  Watch watch;     ///< asked at every Newton step. To stop inside a pass as well, give it to the bank
};

/// Throws InputError for a setting out of range.
void check(const Settings& settings);

/// The same settings with the time limit in the watch, counted from now.
Settings with_time_limit(Settings settings);

}  // namespace spicymkl
