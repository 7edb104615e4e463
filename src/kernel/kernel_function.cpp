#include "spicymkl/kernel/kernel_function.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/named_table.hpp"
#include "functions/types.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr double kLargestDegree = 1000;                           // beyond it values overflow or vanish
constexpr double kSmallestWidth = 1e-100, kLargestWidth = 1e100;  // their squares stay clear of overflow

bool in_domain(ParameterDomain domain, double value) {
  if (!std::isfinite(value)) return false;
  switch (domain) {
    case ParameterDomain::positive:
      return value >= kSmallestWidth && value <= kLargestWidth;
    case ParameterDomain::non_negative:
      return value >= 0;
    case ParameterDomain::positive_integer:
      return value >= 1 && value <= kLargestDegree && value == std::floor(value);
    case ParameterDomain::matern_nu:
      return value == 0.5 || value == 1.5 || value == 2.5;
  }
  return false;
}

std::string_view describe(ParameterDomain domain) {
  switch (domain) {
    case ParameterDomain::positive:
      return "a number above 0 (from 1e-100 to 1e100)";
    case ParameterDomain::non_negative:
      return "a finite number, 0 or above";
    case ParameterDomain::positive_integer:
      return "one of 1, 2, 3, … 1000";
    case ParameterDomain::matern_nu:
      return "0.5, 1.5 or 2.5";
  }
  return "";
}

void refuse_unknown(const KernelType& type, const KernelParameters& given, std::string_view kernel) {
  for (const auto& parameter : given) {
    const std::string& name = parameter.first;
    if (std::ranges::any_of(type.parameters, [&](const ParameterRule& rule) { return rule.name == name; })) continue;
    throw InputError(fmt::format(
        "kernel '{}': type {} has no parameter '{}'; {}", kernel, type.name, name,
        type.parameters.empty() ? "it takes none: remove it"
                                : fmt::format("its parameters are {}", fmt::join(names_of(type.parameters), ", "))));
  }
}

}  // namespace

const std::vector<KernelType>& kernel_types() {
#define KERNEL(name) name##_kernel(),
  static const std::vector<KernelType> types = {
#include "functions/kernels.def"
  };
#undef KERNEL
  return types;
}

const KernelType& find_kernel_type(std::string_view type, std::string_view kernel) {
  if (const KernelType* known = find_named(kernel_types(), type)) return *known;
  refuse_name(fmt::format("kernel '{}': type", kernel), type, names_of(kernel_types()));
}

KernelParameters complete_parameters(const KernelType& type, const KernelParameters& given, std::string_view kernel) {
  refuse_unknown(type, given, kernel);
  KernelParameters complete;
  for (const ParameterRule& rule : type.parameters) {
    const auto found = given.find(rule.name);
    if (found == given.end() && !rule.fallback)
      throw InputError(fmt::format("kernel '{}': type {} needs the parameter '{}', {}", kernel, type.name, rule.name,
                                   describe(rule.domain)));
    const double value = found == given.end() ? *rule.fallback : found->second;
    if (!in_domain(rule.domain, value))
      throw InputError(fmt::format("kernel '{}': {} is {}, but type {} needs {}", kernel, rule.name, value, type.name,
                                   describe(rule.domain)));
    complete[rule.name] = value;
  }
  return complete;
}

}  // namespace spicymkl
