// What enters predictions linearly and without a penalty, beside the intercept: age, sex, site.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spicymkl/kernel/samples.hpp"

namespace spicymkl {

/// C of some rows.
struct Covariates {
  std::vector<std::string> names;  ///< of its columns
  Matrix values;                   ///< rows × columns, in the units of the user; empty: there are none

  Index count() const { return std::ssize(names); }
  /// The given rows, in that order.
  Covariates rows(std::span<const Index> selected) const;
};

/// One column of C, as it is made from a table.
struct CovariateTerm {
  std::string name;     ///< "age"; of an indicator "site=B"
  Index column = 0;     ///< of the table
  Index category = -1;  ///< it is 1 in rows of this category, else 0; −1: the column itself
};

/// A column of numbers is taken as it is; one of categories becomes an indicator of each category but the first, the
/// reference. One that has a single category is an InputError.
std::vector<CovariateTerm> covariate_terms(const std::vector<std::string>& names,
                                           const std::vector<std::vector<std::string>>& categories,
                                           std::span<const Index> columns);

/// Rows in which a covariate is a category without a coefficient, or which the source of a covariate lacks, are an
/// InputError.
Matrix covariate_values(const Samples& rows, const std::vector<CovariateTerm>& terms);

/// C as a problem has it: orthogonal columns of mean square 1, so that neither units nor correlated covariates matter
/// to a solver. Columns of C that these rows cannot tell apart from those before them are left out.
class CovariateBasis {
 public:
  CovariateBasis() = default;
  /// `centred`: there is an intercept, which takes up the means.
  CovariateBasis(const Matrix& values, bool centred);

  const Matrix& columns() const { return columns_; }
  /// Columns of C, with those that were left out.
  Index n_covariates() const { return mean_.size(); }
  /// Columns of C that those before them, or the intercept, determine.
  const std::vector<Index>& left_out() const { return left_out_; }
  /// Coefficients of columns(), below that of the intercept if there is one, as coefficients of C.
  Matrix in_user_units(const Matrix& unpenalised) const;
  /// How far predictions by such coefficients may be off by rounding, summed over rows and outputs: large terms cancel
  /// where covariates are nearly the same, or far from 0.
  double rounding(const Matrix& in_user_units) const;
  /// The inverse.
  Matrix of_columns(const Matrix& unpenalised) const;

 private:
  Matrix columns_;  ///< (C − 1·meanᵀ)·diag(1/scale) = columns_·triangle_, for the columns that are kept
  Matrix triangle_;
  std::vector<Index> kept_, left_out_;
  Vector sums_;  ///< Σ_i |C_ij|
  Index n_rows_ = 0;
  Vector mean_, scale_;  ///< of every column of C
};

}  // namespace spicymkl
