#include "spicymkl/kernel/kernel_spec.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "monomials.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

constexpr std::array kNormalizations = {Normalize::trace, Normalize::diagonal, Normalize::center, Normalize::none};

void check_kinds(const KernelSpec& spec, const KernelType& type, const Samples& samples) {
  const bool wanted = type.columns == ColumnKind::categorical;
  for (const Index column : spec.columns) {
    if (samples.is_categorical(column) == wanted) continue;
    const std::string& name = samples.columns[column];
    throw InputError(wanted
                         ? fmt::format("kernel '{}': type {} compares categories, but column '{}' is numeric; use a "
                                       "numeric kernel such as gaussian, or mark the column as categorical",
                                       spec.name, spec.type, name)
                         : fmt::format("kernel '{}': type {} needs numbers, but column '{}' is categorical; use type "
                                       "overlap for it",
                                       spec.name, spec.type, name));
  }
}

void refuse_negative(const KernelSpec& spec, const Samples& samples) {
  for (const Index column : spec.columns) {
    Index row = 0;
    const double lowest = samples.values.col(column).minCoeff(&row);
    if (lowest < 0)
      throw InputError(
          fmt::format("kernel '{}': column '{}', {}: the value is {}, but type {} needs values ≥ 0; "
                      "shift the column, or do not standardise it",
                      spec.name, samples.columns[column], samples.place(row), lowest, spec.type));
  }
}

}  // namespace

std::string_view normalize_name(Normalize normalize) {
  switch (normalize) {
    case Normalize::trace:
      return "trace";
    case Normalize::diagonal:
      return "diagonal";
    case Normalize::center:
      return "center";
    case Normalize::none:
      return "none";
  }
  return "";
}

Normalize parse_normalize(std::string_view text, std::string_view kernel) {
  for (const Normalize known : kNormalizations)
    if (normalize_name(known) == text) return known;
  throw InputError(
      fmt::format("kernel '{}': normalize is '{}', but it must be trace, diagonal, center or none", kernel, text));
}

const KernelType& type_of(const KernelSpec& spec) {
  return spec.own_type ? *spec.own_type : find_kernel_type(spec.type, spec.name);
}

const KernelType& resolve(KernelSpec& spec, Index n_columns) {
  const KernelType& type = type_of(spec);
  spec.parameters = complete_parameters(type, spec.parameters, spec.name);
  if (!(spec.jitter >= 0 && std::isfinite(spec.jitter)))
    throw InputError(
        fmt::format("kernel '{}': jitter is {}, but it must be a finite number, 0 or above", spec.name, spec.jitter));
  if (spec.jitter > 0 && spec.features.kind != FeatureKind::none)
    throw InputError(fmt::format(
        "kernel '{}': a kernel by features takes no jitter; leave out the jitter or the features", spec.name));
  if (spec.columns.empty())
    throw InputError(fmt::format("kernel '{}': no column is selected; give it at least one, or \"all\"", spec.name));
  for (const Index column : spec.columns)
    if (column < 0 || column >= n_columns)
      throw InputError(fmt::format("kernel '{}': there is no column {}: the table has columns 0 to {}", spec.name,
                                   column, n_columns - 1));
  return type;
}

Index n_exact_features(const KernelSpec& spec) {
  constexpr double kMostMonomials = 10000;
  const KernelType& type = type_of(spec);
  if (type.base != Base::inner_product && type.base != Base::cosine && type.base != Base::matches) return 0;
  const std::vector<double> powers = type.make(complete_parameters(type, spec.parameters, spec.name))->powers();
  if (powers == std::vector<double>{0, 1}) return std::ssize(spec.columns);
  if (powers.empty() || type.base == Base::matches) return 0;
  const double count = Monomials::count(std::ssize(spec.columns), powers);
  return count <= kMostMonomials ? static_cast<Index>(count) : 0;
}

void check_columns(const KernelSpec& spec, const Samples& samples) {
  const KernelType& type = type_of(spec);
  check_kinds(spec, type, samples);
  if (type.columns == ColumnKind::non_negative) refuse_negative(spec, samples);
}

std::string describe_columns(std::span<const Index> columns, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t k = 0; k < columns.size() && k < kShown; ++k) text += (k == 0 ? "" : "+") + names[columns[k]];
  return columns.size() > kShown ? fmt::format("{}+…({})", text, columns.size()) : text;
}

}  // namespace spicymkl
