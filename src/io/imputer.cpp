#include "spicymkl/io/imputer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cell.hpp"
#include "core/closest.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl {

namespace {

std::vector<double> present_values(ConstVectorRef column, std::span<const Index> rows) {
  std::vector<double> values;
  for (const Index i : rows)
    if (!std::isnan(column(i))) values.push_back(column(i));
  return values;
}

/// Of an even number of values, the mean of the middle two.
double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

double mean(const std::vector<double>& values) {
  // Divided before it is added: a sum of large values would overflow.
  double sum = 0;
  for (const double value : values) sum += value / static_cast<double>(values.size());
  return sum;
}

double most_frequent(const std::vector<double>& codes, std::size_t n_categories) {
  std::vector<Index> count(n_categories, 0);
  for (const double code : codes) ++count[static_cast<Index>(code)];
  return static_cast<double>(std::max_element(count.begin(), count.end()) - count.begin());
}

}  // namespace

ImputeMethod parse_impute_method(std::string_view name) {
  for (const ImputeMethod method : {ImputeMethod::median, ImputeMethod::mean})
    if (name == name_of(method)) return method;
  throw InputError(fmt::format("imputation by {} is not known{}; give median or mean", in_quotes(name),
                               did_you_mean(name, {"median", "mean"})));
}

std::string_view name_of(ImputeMethod method) { return method == ImputeMethod::median ? "median" : "mean"; }

void Imputer::apply(MatrixRef values) const {
  for (Index j = 0; j < values.cols(); ++j)
    values.col(j) = values.col(j).array().isNaN().select(fill(j), values.col(j));
}

Imputer fit_imputer(const Table& table, ImputeMethod method, std::span<const Index> rows) {
  Imputer imputer{method, Vector(table.values.cols())};
  for (Index j = 0; j < table.values.cols(); ++j) {
    std::vector<double> values = present_values(table.values.col(j), rows);
    if (values.empty())
      throw InputError(
          fmt::format("{}: column {} has no value in the {} training rows, so it cannot be imputed; drop the column",
                      table.path, in_quotes(table.columns[j]), rows.size()));
    if (!table.categories[j].empty()) {
      imputer.fill(j) = most_frequent(values, table.categories[j].size());
    } else {
      imputer.fill(j) = method == ImputeMethod::median ? median(values) : mean(values);
    }
  }
  return imputer;
}

Imputer fit_imputer(const Table& table, ImputeMethod method) {
  std::vector<Index> rows(table.rows());
  std::iota(rows.begin(), rows.end(), Index{0});
  return fit_imputer(table, method, rows);
}

}  // namespace spicymkl
