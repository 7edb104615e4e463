#include "objective.hpp"

#include <nanobind/stl/string.h>

#include "own_functions.hpp"
#include "spicymkl/pipeline/training_options.hpp"
#include "training_kernels.hpp"

namespace spicymkl::python {

namespace {

std::string name_of(const nb::object& object) {
  return nb::isinstance<nb::str>(object) ? nb::cast<std::string>(object) : own_name(object);
}

}  // namespace

ProblemDescription Objective::description(double strength) const {
  ProblemDescription description = parameters;
  description.loss = name_of(loss);
  description.penalty = name_of(penalty);
  description.alpha = strength;
  return description;
}

std::shared_ptr<const Loss> Objective::make_loss() const {
  return nb::isinstance<nb::str>(loss) ? description(1).make_loss() : own_loss(loss);
}

std::shared_ptr<const Regularizer> Objective::make_regularizer(double strength) const {
  return nb::isinstance<nb::str>(penalty) ? description(strength).make_regularizer()
                                          : own_regularizer(penalty, strength);
}

double Objective::alpha_max(const std::shared_ptr<const KernelBank>& bank, const Vector& labels,
                            const Vector& weights) const {
  // Any strength does: alpha_max does not depend on it.
  const Problem problem(bank, labels, make_loss(), make_regularizer(1), parameters.fit_intercept, weights);
  const nb::gil_scoped_release unlocked;
  return spicymkl::alpha_max(problem);
}

Problem Objective::make_problem(const std::shared_ptr<const KernelBank>& bank, const Vector& labels,
                                const Vector& weights) const {
  const double unit = alpha.ends_with("max") ? alpha_max(bank, labels, weights) : 1;
  return {bank, labels, make_loss(), make_regularizer(resolve_alpha(alpha, unit)), parameters.fit_intercept, weights};
}

void bind_objective(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Objective>(module, "Objective", "Loss, penalty and their parameters.")
      .def(
          "__init__",
          [](Objective* self, nb::object loss, nb::object penalty, std::string alpha, double l1_ratio, double q,
             double epsilon, double quantile, bool fit_intercept) {
            ProblemDescription parameters;
            parameters.l1_ratio = l1_ratio;
            parameters.q = q;
            parameters.epsilon = epsilon;
            parameters.quantile = quantile;
            parameters.fit_intercept = fit_intercept;
            new (self) Objective{std::move(loss), std::move(penalty), std::move(alpha), parameters};
            self->make_loss();
            self->make_regularizer(resolve_alpha(self->alpha, 1));
          },
          "loss"_a, "penalty"_a, "alpha"_a, "l1_ratio"_a, "q"_a, "epsilon"_a, "quantile"_a, "fit_intercept"_a)
      .def(
          "expected_passes",
          [](const Objective& self, const std::string& solver) {
            return expected_passes(*self.make_regularizer(1), parse_solver(solver));
          },
          "solver"_a, "How often a training run will read every kernel.")
      .def_prop_ro(
          "labels",
          [](const Objective& self) {
            return self.make_loss()->labels() == LabelKind::two_classes ? "classes" : "numbers";
          },
          "What the loss learns from.")
      .def(
          "alpha_max",
          [](const Objective& self, const TrainingInput& kernels, const VectorIn& labels, const VectorIn& weights) {
            return self.alpha_max(kernels.bank, to_vector(labels), to_vector(weights));
          },
          "kernels"_a, "labels"_a, "weights"_a);
}

}  // namespace spicymkl::python
