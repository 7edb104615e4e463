// The problem to solve, in Python's words: names of built-in losses and penalties, or objects of the user's own.
#pragma once

#include "arrays.hpp"
#include "spicymkl/model/problem_description.hpp"
#include "spicymkl/problem/problem.hpp"

namespace spicymkl::python {

struct Objective {
  nb::object loss;     ///< a name, or an object
  nb::object penalty;  ///< the same
  std::string alpha;   ///< a number, or a multiple of alpha_max
  ProblemDescription parameters;

  /// For the model: with the names of the user's own objects, and this alpha.
  ProblemDescription description(double strength) const;
  std::shared_ptr<const Loss> make_loss() const;
  std::shared_ptr<const Regularizer> make_regularizer(double strength) const;
  /// The problem with the alpha that is asked for.
  Problem make_problem(const std::shared_ptr<const KernelBank>& bank, const Vector& labels,
                       const Vector& weights) const;
  /// The smallest alpha that selects no kernel.
  double alpha_max(const std::shared_ptr<const KernelBank>& bank, const Vector& labels, const Vector& weights) const;
};

void bind_objective(nb::module_& module);

}  // namespace spicymkl::python
