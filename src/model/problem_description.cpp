#include "spicymkl/model/problem_description.hpp"

#include <fmt/format.h>

#include "core/named_table.hpp"

namespace spicymkl {

namespace {

/// A name that is not in the table is one of the user's own.
template <class Type>
std::string with_parameters(const std::string& name, const std::vector<Type>& types,
                            const ProblemDescription& problem) {
  std::string text = name;
  const Type* type = find_named(types, name);
  for (const auto& [parameter, member] : problem_parameters())
    if (type != nullptr && std::ranges::count(type->parameters, parameter) > 0)
      text += (parameter == name ? "" : ", " + parameter) + fmt::format(" {:g}", problem.*member);
  return text;
}

}  // namespace

std::shared_ptr<const Loss> ProblemDescription::make_loss() const {
  return own_loss ? own_loss : spicymkl::make_loss(loss, {epsilon, quantile});
}

std::shared_ptr<const Regularizer> ProblemDescription::make_regularizer() const {
  return own_penalty ? own_penalty(alpha) : spicymkl::make_regularizer(penalty, {alpha, l1_ratio, q});
}

ProblemDescription ProblemDescription::with_alpha(double strength) const {
  ProblemDescription at = *this;
  at.alpha = strength;
  return at;
}

const std::vector<ProblemParameter>& problem_parameters() {
  using D = ProblemDescription;
  static const std::vector<ProblemParameter> parameters = {
      {"l1_ratio", &D::l1_ratio}, {"q", &D::q}, {"epsilon", &D::epsilon}, {"quantile", &D::quantile}};
  return parameters;
}

std::string loss_text(const ProblemDescription& problem) {
  return with_parameters(problem.loss, loss_types(), problem);
}

std::string penalty_text(const ProblemDescription& problem) {
  return with_parameters(problem.penalty, regularizer_types(), problem);
}

}  // namespace spicymkl
