#include "covariate_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/closest.hpp"
#include "core/wording.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/io/join_tables.hpp"

namespace spicymkl {

namespace {

std::string in_list(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) list.push_back(fmt::format("'{}'", name));
  return fmt::format("{}", fmt::join(list, ", "));
}

/// What a column that is not among those to learn from is instead.
std::string other_role(const Table& table, const std::string& name) {
  if (name == table.target_name) return "it is the target";
  if (name == table.id_name) return "it names the rows";
  if (name == table.weight_name) return "it holds the weights";
  if (name == table.group_name) return "it holds the groups of the rows";
  if (std::ranges::find(table.dropped, name) != table.dropped.end()) return "it is left out by request";
  return "";
}

Index covariate_column(const Table& table, const std::string& name) {
  if (const auto exact = std::ranges::find(table.columns, name); exact != table.columns.end())
    return exact - table.columns.begin();
  std::vector<Index> found;
  for (Index j = 0; table.views.several() && j < std::ssize(table.columns); ++j)
    if (table.columns[j] == column_of_source(table.views.names[table.views.of_column[j]], name)) found.push_back(j);
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    throw InputError(fmt::format("covariate '{}': several tables have such a column; name one of them, such as '{}'",
                                 name, table.columns[found.front()]));
  const std::string role = other_role(table, name);
  if (!role.empty()) throw InputError(fmt::format("{}: column '{}' cannot be a covariate: {}", table.path, name, role));
  throw InputError(fmt::format("{}: there is no column '{}' for a covariate{}; columns go by their names", table.path,
                               name, did_you_mean(name, table.columns)));
}

/// Covariates whose part of C·b is not small beside the largest.
std::vector<std::string> members(const Covariates& covariates, const Vector& coefficients) {
  constexpr double kSmall = 1e-3;
  const Matrix centred = covariates.values.rowwise() - covariates.values.colwise().mean();
  const Vector sizes = centred.colwise().norm().transpose().cwiseProduct(coefficients.cwiseAbs());
  std::vector<std::string> names;
  for (Index j = 0; j < sizes.size(); ++j)
    if (sizes(j) > kSmall * sizes.maxCoeff()) names.push_back(covariates.names[j]);
  return names;
}

void refuse_dependent(const Covariates& covariates, Index column, bool intercept) {
  const Vector values = covariates.values.col(column);
  const std::string& name = covariates.names[column];
  if (intercept && values.minCoeff() == values.maxCoeff())
    throw InputError(
        fmt::format("covariate '{}' is {:g} in all {} rows, as the intercept is: it has no coefficient of its own; "
                    "leave it out",
                    name, values(0), values.size()));
  if (values.isZero(0))
    throw InputError(fmt::format("covariate '{}' is 0 in all {} rows; leave it out", name, values.size()));
  Covariates others{{covariates.names.begin(), covariates.names.begin() + column}, covariates.values.leftCols(column)};
  Matrix C(values.size(), column + (intercept ? 1 : 0));
  C << others.values, Matrix::Ones(values.size(), intercept ? 1 : 0);
  const Vector b = C.colPivHouseholderQr().solve(values);
  throw InputError(fmt::format(
      "covariate '{}' is a linear combination of {}{} in all {} rows: their coefficients are not "
      "determined; leave one of them out",
      name, in_list(members(others, b.head(column))), intercept ? " and the intercept" : "", values.size()));
}

void refuse_explained(const Vector& y, const Covariates& covariates, const CovariateBasis& basis, bool intercept) {
  constexpr double kNothing = 1e-10;
  const auto n = static_cast<double>(y.size());
  const Vector centred = intercept ? Vector(y.array() - y.mean()) : y;
  const Vector fitted = basis.columns() * (basis.columns().transpose() * centred) / n;
  if (centred.norm() == 0 || (centred - fitted).norm() > kNothing * centred.norm()) return;
  const Matrix b = basis.in_user_units(basis.columns().transpose() * centred / n);
  throw InputError(
      fmt::format("the target is a linear combination of the covariates {} in all {} rows: nothing is left "
                  "to learn; leave out those that are the target in other words",
                  in_list(members(covariates, b)), y.size()));
}

/// The minimiser of Σ log(1 + exp(−y_i z_i)) + (ridge/2)‖b‖², z = Zb, by damped Newton steps from b on.
void fit_logistic(const Matrix& Z, const Vector& y, double ridge, Vector& b) {
  constexpr int kMostSteps = 200, kHalvings = 40;
  const auto value = [&](const Vector& at) {
    const Vector margins = y.cwiseProduct(Z * at);
    double sum = 0.5 * ridge * at.squaredNorm();
    for (const double m : margins) sum += m > 0 ? std::log1p(std::exp(-m)) : std::log1p(std::exp(m)) - m;
    return sum;
  };
  double now = value(b);
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector margins = y.cwiseProduct(Z * b);
    const Vector p = (1 + margins.array().exp()).inverse();  // chance of the other class
    const Vector gradient = ridge * b - Z.transpose() * y.cwiseProduct(p);
    Matrix H = Z.transpose() * p.cwiseProduct((1 - p.array()).matrix()).asDiagonal() * Z;
    H.diagonal().array() += ridge;
    const Vector direction = -H.ldlt().solve(gradient);
    double length = 1, next = value(b + direction);
    for (int halving = 0; halving < kHalvings && !(next < now); ++halving) next = value(b + (length /= 2) * direction);
    if (!(next < now)) return;
    b += length * direction;
    now = next;
  }
}

/// A direction d in which y_i(Zd)_i ≥ 0 for all rows and > 1 for some, if there is one; else 0. Where classes can be
/// separated, coefficients grow as log(1/ridge) along it and what else there is of them stays.
Vector separating_direction(const Matrix& Z, const Vector& y) {
  constexpr double kRidge = 1e-6, kSmallRidge = 1e-10, kAgainst = 1e-2;
  Vector b = Vector::Zero(Z.cols());
  fit_logistic(Z, y, kRidge, b);
  const Vector before = b;
  fit_logistic(Z, y, kSmallRidge, b);
  const Vector direction = b - before, margins = y.cwiseProduct(Z * direction);
  const bool separates = margins.maxCoeff() > 1 && margins.minCoeff() >= -kAgainst * margins.maxCoeff();
  return separates ? direction : Vector::Zero(Z.cols());
}

/// The margin pays however large it is, so that coefficients which separate classes never end to grow.
bool always_falls(const Target& target, ProblemDescription problem) {
  if (target.joint()) return true;
  problem.loss = target.loss;
  constexpr double kFar = 30;
  const auto loss = problem.make_loss();
  return loss->value(1, kFar) > 0 && loss->value(1, kFar) < loss->value(1, 0);
}

struct Separation {
  std::vector<std::string> columns;
  Index n_rows = 0, first = 0;
};

Matrix with_intercept(const Matrix& columns, bool intercept) {
  Matrix Z(columns.rows(), columns.cols() + (intercept ? 1 : 0));
  Z << Matrix::Ones(columns.rows(), intercept ? 1 : 0), columns;
  return Z;
}

/// How the covariates tell classes apart, if they do: rows in which they do, and the columns that it takes.
Separation separation(const Covariates& covariates, const Vector& y, bool intercept) {
  const CovariateBasis basis(covariates.values, intercept);
  const Matrix Z = with_intercept(basis.columns(), intercept);
  const Vector direction = separating_direction(Z, y);
  const Vector margins = y.cwiseProduct(Z * direction);
  Separation found;
  for (Index i = y.size() - 1; i >= 0; --i)
    if (margins(i) > 1) ++found.n_rows, found.first = i;
  if (found.n_rows > 0)
    found.columns = members(covariates, basis.in_user_units(direction).bottomRows(covariates.count()));
  return found;
}

/// By one column alone, where one does it.
Separation simplest_separation(const Covariates& covariates, const Vector& y, bool intercept) {
  Separation found = separation(covariates, y, intercept);
  for (Index j = 0; found.n_rows > 0 && found.columns.size() > 1 && j < covariates.count(); ++j) {
    Separation alone = separation({{covariates.names[j]}, covariates.values.col(j)}, y, intercept);
    if (alone.n_rows == found.n_rows) return alone;
  }
  return found;
}

void refuse_separation(const Separation& found, const Target& target, const std::string& class_name, bool falls,
                       const RowPlace& place) {
  const std::string other = target.classes.size() == 2 ? fmt::format("'{}'", target.classes[0]) : "the others";
  if (found.n_rows == target.n_rows())
    throw InputError(
        fmt::format("the covariates {} alone tell class '{}' from {} in all {} rows: nothing is left to learn; leave "
                    "out what is the "
                    "target in other words, or give it to the kernels",
                    in_list(found.columns), class_name, other, target.n_rows()));
  if (falls)
    throw InputError(fmt::format(
        "the covariates {} alone tell class '{}' from {} in {} (the first is {}), so that their coefficients, "
        "which are not penalised, would grow without end with the {} loss; leave out what tells them apart, "
        "or give it to the kernels",
        in_list(found.columns), class_name, other, counted(found.n_rows, "row"), place(found.first), target.loss));
}

void check_separation(const Covariates& covariates, const Target& target, const ProblemDescription& problem,
                      const RowPlace& place) {
  const bool falls = always_falls(target, problem), two = target.classes.size() == 2;
  for (Index positive = two ? 1 : 0; positive < std::ssize(target.classes); ++positive) {
    Vector y(target.n_rows());
    for (Index i = 0; i < y.size(); ++i) y(i) = target.codes[i] == positive ? 1 : -1;
    const Separation found = simplest_separation(covariates, y, problem.fit_intercept);
    if (found.n_rows > 0) refuse_separation(found, target, target.classes[positive], falls, place);
  }
}

}  // namespace

std::vector<Index> covariate_columns(const Table& table, const std::vector<std::string>& names) {
  std::vector<Index> columns;
  std::set<Index> seen;
  for (const std::string& name : names) {
    columns.push_back(covariate_column(table, name));
    if (!seen.insert(columns.back()).second)
      throw InputError(fmt::format("covariate '{}' is named twice; name it once", name));
  }
  return columns;
}

Covariates table_covariates(const Table& table, const std::vector<std::string>& names,
                            const std::optional<ImputeMethod>& impute) {
  const std::vector<Index> columns = covariate_columns(table, names);
  Table part = select_columns(table, columns);
  if (impute) fit_imputer(part, *impute).apply(part.values);
  else check_complete(part);
  std::vector<Index> all(columns.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Index>(k);
  const std::vector<CovariateTerm> terms = covariate_terms(part.columns, part.categories, all);
  Covariates covariates;
  for (const CovariateTerm& term : terms) covariates.names.push_back(term.name);
  covariates.values = covariate_values(to_samples(std::move(part)), terms);
  return covariates;
}

void check_covariates(const Covariates& covariates, const Target& target, const ProblemDescription& problem,
                      const RowPlace& place) {
  if (covariates.count() == 0) return;
  const Index n = covariates.values.rows();
  if (n != target.n_rows())
    throw InputError(fmt::format("there are {} rows of covariates for {} samples", n, target.n_rows()));
  for (Index j = 0; j < covariates.count(); ++j)
    for (Index i = 0; i < n; ++i)
      if (!std::isfinite(covariates.values(i, j)))
        throw InputError(fmt::format("{}: covariate '{}' is not a finite number; fill it in, or leave the row out",
                                     place(i), covariates.names[j]));
  const bool intercept = problem.fit_intercept;
  const CovariateBasis basis(covariates.values, intercept);
  if (!basis.left_out().empty()) refuse_dependent(covariates, basis.left_out().front(), intercept);
  if (target.classes.empty()) {
    for (Index number = 0; number < target.n_fits(); ++number)
      refuse_explained(target.labels(number), covariates, basis, intercept);
  } else {
    check_separation(covariates, target, problem, place);
  }
}

}  // namespace spicymkl
