#include "table_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "core/utf8.hpp"
#include "io/table_problems.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/io/read_table.hpp"

namespace spicymkl {

namespace {

void check_utf8(const Table& table, const std::string& text, const std::string& what) {
  if (!is_utf8(text))
    throw InputError(fmt::format("{}: {} is not UTF-8 text; save the table as UTF-8", table.path, what));
}

void check_target_is_there(const Table& table) {
  const auto missing = std::find(table.target.begin(), table.target.end(), "");
  if (missing == table.target.end()) return;
  const auto count = std::count(missing, table.target.end(), "");
  throw InputError(fmt::format("{}: the target is missing ({} in all); fill it in or remove the row",
                               table.target_place(missing - table.target.begin()),
                               count == 1 ? "1 row" : fmt::format("{} rows", count)));
}

void check_weights(const Table& table) {
  for (Index i = 0; i < table.weights.size(); ++i)
    if (const double weight = table.weights(i); !(weight > 0 && std::isfinite(weight)))
      throw InputError(
          fmt::format("{}: the weight '{}' is {}, but sample weights must be above 0; correct it, or "
                      "remove the row",
                      table.place(i), table.weight_name, std::isnan(weight) ? "missing" : fmt::format("{}", weight)));
}

}  // namespace

void check_texts(const Table& table) {
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    check_utf8(table, table.columns[j], fmt::format("the name of column {}", j + 1));
    for (const std::string& text : table.categories[j])
      check_utf8(table, text, fmt::format("a value of column '{}'", table.columns[j]));
  }
  check_utf8(table, table.target_name, "the name of the target");
  for (const std::string& name : table.target_names) check_utf8(table, name, "the name of a target");
  check_utf8(table, table.id_name, "the name of the identity");
  for (const std::string& text : table.target) check_utf8(table, text, "a class of the target");
}

void check_table(const Table& table, bool imputed, int threads) {
  std::vector<TableProblem> problems;
  const auto collect = [&](const std::function<void()>& check, const char* option, const char* value) {
    try {
      check();
    } catch (const InputError& error) {
      problems.push_back({error.what(), option, value});
    }
  };
  collect([&] { check_texts(table); }, "", "");
  collect([&] { check_target_is_there(table); }, "", "");
  collect([&] { check_weights(table); }, "", "");
  if (!imputed) collect([&] { check_complete(table, kImputeAdvice, threads); }, "--impute", "median");
  if (!problems.empty()) throw TableProblems(table.path, std::move(problems));
}

void read_weights(Table& table, const std::string& path) {
  if (!std::filesystem::exists(path))
    throw InputError(
        fmt::format("{}: there is neither a column '{}' nor a file of that name for the weights; name a "
                    "column, or a .npy or .csv file with one weight per row",
                    table.path, path));
  const Table file = read_table(path);
  if (file.values.cols() != 1 || file.rows() != table.rows())
    throw InputError(fmt::format("{}: has {} rows and {} columns, but weights for '{}' are one column of {} rows", path,
                                 file.rows(), file.values.cols(), table.path, table.rows()));
  table.weight_name = path;
  table.weights = file.values.col(0);
}

}  // namespace spicymkl
