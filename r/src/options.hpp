// The library's option tables in R's words: a named list; what is left out has its default. The R code has seen to it
// that every value is of the type that its table says.
#pragma once

#include <fmt/format.h>

#include "convert.hpp"
#include "core/option_table.hpp"
#include "pipeline/given_parameters.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::r {

inline void take(SEXP value, bool& option) { option = Rcpp::as<bool>(value); }
inline void take(SEXP value, int& option) { option = Rcpp::as<int>(value); }
inline void take(SEXP value, std::uint64_t& option) {
  const double number = Rcpp::as<double>(value);
  if (number < 0) throw InputError(fmt::format("seed is {}, but it must be a whole number of 0 or more", number));
  option = static_cast<std::uint64_t>(number);
}
inline void take(SEXP value, double& option) { option = Rcpp::as<double>(value); }
inline void take(SEXP value, std::string& option) { option = strings(value).at(0); }
inline void take(SEXP value, std::vector<double>& option) { option = Rcpp::as<std::vector<double>>(value); }
inline void take(SEXP value, std::vector<std::string>& option) { option = strings(value); }

template <class Options>
Options read_options(const OptionTable<Options>& table, const Rcpp::List& given) {
  Options options;
  for (const Option<Options>& option : table)
    if (given.containsElementNamed(option.name.c_str()))
      std::visit([&](const auto member) { take(given[option.name], options.*member); }, option.member);
  return options;
}

/// What the user gave, by name.
inline GivenParameters given_parameters(const Rcpp::List& given) {
  GivenParameters parameters{{}, [](const std::string& name) { return name; }};
  if (given.size() > 0)
    for (const std::string& name : strings(given.names())) parameters.names.insert(name);
  return parameters;
}

}  // namespace spicymkl::r
