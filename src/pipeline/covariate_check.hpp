// Which columns are covariates, and what no coefficients can be fitted to.
#pragma once

#include <functional>
#include <optional>

#include "spicymkl/io/imputer.hpp"
#include "spicymkl/model/problem_description.hpp"
#include "spicymkl/pipeline/target.hpp"

namespace spicymkl {

/// Where the columns of these names are in the table; of several tables, "source:column" or the column alone where one
/// source has it. Names that are not there, or that occur twice, are an InputError.
std::vector<Index> covariate_columns(const Table& table, const std::vector<std::string>& names);

/// C of all rows of a table, with missing cells imputed, or refused.
Covariates table_covariates(const Table& table, const std::vector<std::string>& names,
                            const std::optional<ImputeMethod>& impute);

/// Says of a row where it is: "data.csv, line 12".
using RowPlace = std::function<std::string(Index row)>;

/// Throws InputError, with the columns and rows by name, where coefficients without a penalty are not determined, for
/// covariates that depend on each other or on the intercept; where nothing is left to learn, for numbers that are a
/// linear function of the covariates or classes that these separate; and where there is no optimum, for classes that
/// they separate in part and a loss that always falls with the margin, such as the logistic.
void check_covariates(const Covariates& covariates, const Target& target, const ProblemDescription& problem,
                      const RowPlace& place);

}  // namespace spicymkl
