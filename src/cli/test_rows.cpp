#include "test_rows.hpp"

#include <fmt/format.h>

#include "assumptions.hpp"
#include "new_rows.hpp"
#include "spicymkl/core/error.hpp"

namespace spicymkl::cli {

TestRows read_test_rows(const TableInput& input, const TrainingTable& training, const Target& target, int threads,
                        bool silent) {
  const Preparation& preparation = training.preparation;
  Table table = read_rows_for(preparation, input, table_options(input, threads), preparation.views.missing,
                              RowOrder::as_they_come);
  if (!silent) say_remarks(table);
  TestRows test{table.path, {}, known_target(table, target.loss, target.classes, target.event_code)};
  Leniency done;
  test.samples = preparation.apply(std::move(table), done);
  if (!silent) say_leniency(done, test.path, test.samples.columns);
  try {
    for (const FittedKernel& kernel : training.kernels) check_columns(kernel.spec(), test.samples);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", test.path, error.what()));
  }
  return test;
}

Evaluation evaluate_on(const TestRows& test, const Model& model, int threads) {
  const auto scorer = make_table_scorer(model, select_columns(test.samples, model.table->used_columns), threads);
  return evaluate_rows(model, *scorer, test.truth, true);
}

}  // namespace spicymkl::cli
