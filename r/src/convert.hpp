// R's values as the library's, and back. Strings of the library are UTF-8.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "spicymkl/core/types.hpp"

#include <Rcpp.h>

namespace spicymkl::r {

/// NA becomes the empty string, which the library takes for a missing cell.
std::vector<std::string> strings(SEXP values);
/// One string; anything else is an InputError that calls it `what`.
std::string text(SEXP value, const std::string& what);
/// Named lists become objects, other lists and longer vectors arrays.
nlohmann::json to_json(SEXP value);

Eigen::Map<const Vector> vector(SEXP numbers);
Eigen::Map<const Matrix> matrix(SEXP numbers);

Rcpp::CharacterVector to_r(const std::vector<std::string>& texts);
Rcpp::NumericVector to_r(const Vector& numbers);
Rcpp::NumericMatrix to_r(const Matrix& numbers);
/// R counts from 1.
Rcpp::IntegerVector places(const std::vector<Index>& indices);

}  // namespace spicymkl::r
