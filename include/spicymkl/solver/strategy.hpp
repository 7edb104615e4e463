// The strategy: how a problem is solved, chosen from its size, its loss and its penalty before any work begins.
#pragma once

#include <string_view>
#include <vector>

#include "spicymkl/solver/cost_model.hpp"
#include "spicymkl/solver/settings.hpp"
#include "spicymkl/solver/stages.hpp"

namespace spicymkl {

enum class Method {
  spicy,    ///< the proximal loop, for every problem (spicy.hpp)
  onestep,  ///< Newton's method on the dual, where the penalty's is smooth (onestep.hpp)
  weights,  ///< Newton's method on the kernel weights, for losses of support vector machines (weights.hpp)
  kkt       ///< Newton's method on the optimality conditions, for smooth losses with the block 1-norm (kkt.hpp)
};

std::string_view to_string(Method method);

struct Plan {
  bool smoothing = false;                         ///< solve with a smooth loss beside that of the problem
  bool part_of_samples = false;                   ///< first solve for a part of the samples, and start from its answer
  bool part_of_kernels = false;                   ///< the same for a part of the kernels
  bool working_set = false;                       ///< read kernels that seem not to matter once per round only
  bool screening = true;                          ///< in the working set: spare kernels that the gap proves to be zero
  std::vector<Method> methods = {Method::spicy};  ///< the first one; the next takes over where one gets stuck
};

/// The cheapest plan by the cost model. It depends on its arguments alone.
Plan choose(const ProblemOutline& problem, SolverKind solver);
/// `warm`: there is a start to begin from.
Plan choose(const Problem& problem, const Settings& settings, bool warm);

/// Of the same plan, what pays on a part of the samples.
Plan plan_for_part(const Plan& plan, const ProblemOutline& part);
/// Of these methods, those that pay over all kernels of a problem; at least one.
std::vector<Method> methods_that_pay(std::vector<Method> methods, const ProblemOutline& problem);

/// A part of the samples pays, as a start for all of them.
bool worth_a_part(const ProblemOutline& problem);

/// What the plan is expected to take, stage by stage; a method that may take over is not among them.
Stages expected_stages(const Plan& plan, const ProblemOutline& problem);

}  // namespace spicymkl
