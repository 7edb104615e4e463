// What a solver hands back.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spicymkl/problem/certificate.hpp"
#include "spicymkl/solver/stages.hpp"

namespace spicymkl {

enum class Status { converged, max_iterations, stalled, interrupted };

std::string_view to_string(Status status);

/// One outer step.
struct Record {
  int iteration = 0;
  double seconds = 0;  ///< since the start of the run
  double gamma = 0;  ///< proximity parameter of the kernels; +∞ where there is none, 0 for a round of the working set
  int newton_steps = 0;  ///< of a wrapper method: SVMs
  double primal = 0;
  double dual = 0;  ///< best lower bound so far
  double gap = 0;   ///< relative gap of the iterate
  Index n_active = 0;
};

using History = std::vector<Record>;

/// Seconds by phase. Newton systems are assembled, factored and solved in `newton`; everything that reads all kernels
/// is `passes`; `certificate` is the recovery of the stored model and its proof.
struct Timers {
  double newton = 0;
  double passes = 0;
  double certificate = 0;
  double total = 0;

  Timers& operator+=(const Timers& other) {
    newton += other.newton;
    passes += other.passes;
    certificate += other.certificate;
    total += other.total;
    return *this;
  }
};

/// A model whose primal value is known.
struct KnownModel {
  Expansion expansion;
  PrimalValue primal;
};

/// Where a later run may start from.
struct WarmStart {
  Vector dual;
  std::vector<Index> kernels;
  Matrix coef;                           ///< column k is α_m of kernels[k]
  Matrix unpenalised = Matrix(0, 1);     ///< as of Expansion
  Matrix multipliers;                    ///< of the loss's constraints, one column per constraint
  std::optional<KnownModel> model = {};  ///< to hand back if the run is interrupted before it has a better one
  std::shared_ptr<const RoughCholesky> newton = {};  ///< what its last Newton system handed on; not kept in files
  bool empty() const { return dual.size() == 0; }
};

struct Result {
  Status status = Status::max_iterations;
  std::string message;
  Expansion expansion;
  Certificate certificate;
  DualBound bound;  ///< the best that was found
  History history;
  int iterations = 0;
  int newton_steps = 0;
  Timers timers;
  Stages stages;  ///< in the order they began
  WarmStart warm_start;
};

}  // namespace spicymkl
