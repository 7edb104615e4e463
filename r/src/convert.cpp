#include "convert.hpp"

#include <nlohmann/json.hpp>

#include "spicymkl/core/error.hpp"

namespace spicymkl::r {

namespace {

std::string string_at(SEXP values, R_xlen_t i) {
  SEXP one = STRING_ELT(values, i);
  return one == NA_STRING ? "" : Rf_translateCharUTF8(one);
}

SEXP to_char(const std::string& text) { return Rf_mkCharLenCE(text.data(), static_cast<int>(text.size()), CE_UTF8); }

nlohmann::json element_json(SEXP value, R_xlen_t i) {
  switch (TYPEOF(value)) {
    case LGLSXP:
      return LOGICAL(value)[i] == NA_LOGICAL ? nlohmann::json() : nlohmann::json(LOGICAL(value)[i] != 0);
    case INTSXP:
      return INTEGER(value)[i];
    case REALSXP:
      return REAL(value)[i];
    case STRSXP:
      return string_at(value, i);
    case VECSXP:
      return to_json(VECTOR_ELT(value, i));
    default:
      throw InputError("a list of kernels or groups holds what is neither a number, a string, TRUE, FALSE nor a list");
  }
}

}  // namespace

std::vector<std::string> strings(SEXP values) {
  if (TYPEOF(values) != STRSXP) throw InputError("strings were expected, but there is something else");
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(Rf_xlength(values)));
  for (R_xlen_t i = 0; i < Rf_xlength(values); ++i) texts.push_back(string_at(values, i));
  return texts;
}

std::string text(SEXP value, const std::string& what) {
  if (TYPEOF(value) != STRSXP || Rf_xlength(value) != 1 || STRING_ELT(value, 0) == NA_STRING)
    throw InputError(what + " must be one string");
  return string_at(value, 0);
}

nlohmann::json to_json(SEXP value) {
  const R_xlen_t count = Rf_xlength(value);
  SEXP names = Rf_getAttrib(value, R_NamesSymbol);
  if (TYPEOF(value) == VECSXP && names != R_NilValue) {
    nlohmann::json object = nlohmann::json::object();
    for (R_xlen_t i = 0; i < count; ++i) object[string_at(names, i)] = element_json(value, i);
    return object;
  }
  if (TYPEOF(value) != VECSXP && count == 1 && !Rf_inherits(value, "AsIs")) return element_json(value, 0);
  nlohmann::json array = nlohmann::json::array();
  for (R_xlen_t i = 0; i < count; ++i) array.push_back(element_json(value, i));
  return array;
}

Eigen::Map<const Vector> vector(SEXP numbers) {
  if (TYPEOF(numbers) != REALSXP) throw InputError("numbers were expected, but there is something else");
  return {REAL(numbers), static_cast<Index>(Rf_xlength(numbers))};
}

Eigen::Map<const Matrix> matrix(SEXP numbers) {
  if (TYPEOF(numbers) != REALSXP || !Rf_isMatrix(numbers))
    throw InputError("a matrix of numbers was expected, but there is something else");
  return {REAL(numbers), Rf_nrows(numbers), Rf_ncols(numbers)};
}

Rcpp::CharacterVector to_r(const std::vector<std::string>& texts) {
  Rcpp::CharacterVector values(static_cast<R_xlen_t>(texts.size()));
  for (std::size_t i = 0; i < texts.size(); ++i) SET_STRING_ELT(values, static_cast<R_xlen_t>(i), to_char(texts[i]));
  return values;
}

Rcpp::NumericVector to_r(const Vector& numbers) { return {numbers.data(), numbers.data() + numbers.size()}; }

Rcpp::NumericMatrix to_r(const Matrix& numbers) {
  return {static_cast<int>(numbers.rows()), static_cast<int>(numbers.cols()), numbers.data()};
}

Rcpp::IntegerVector places(const std::vector<Index>& indices) {
  Rcpp::IntegerVector values(static_cast<R_xlen_t>(indices.size()));
  for (std::size_t k = 0; k < indices.size(); ++k) values[static_cast<R_xlen_t>(k)] = static_cast<int>(indices[k] + 1);
  return values;
}

}  // namespace spicymkl::r
