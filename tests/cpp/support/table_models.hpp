// Small tables, and models trained on them.
#pragma once

#include <cmath>
#include <random>

#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/model/scores.hpp"
#include "spicymkl/pipeline/train.hpp"
#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl::test {

/// Three columns of numbers and one of categories; n_classes = 0: the target is a number.
inline Table random_table(Index rows, int n_classes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Table table;
  table.path = "made.csv";
  table.columns = {"a", "b", "colour", "d"};
  table.categories = {{}, {}, {"blue", "green", "red"}, {}};
  table.target_name = "y";
  table.values.resize(rows, 4);
  for (Index i = 0; i < rows; ++i) {
    for (const Index j : {0, 1, 3}) table.values(i, j) = normal(random) * 0.1 + 1.0 / 3;
    table.values(i, 2) = static_cast<double>(random() % 3);
    const double f = table.values(i, 0) + 0.3 * table.values(i, 2);
    const int level = static_cast<int>(5 * f + 50);
    table.target.push_back(n_classes == 0 ? std::to_string(f) : std::to_string(level % n_classes) + " of them");
  }
  if (rows > 9) table.values(3, 1) = table.values(7, 2) = std::nan("");
  return table;
}

inline Model train_on(const Table& table, const std::string& loss, const KernelChoice& kernels = {}) {
  const Target target = make_target(table, loss);
  const TrainingTable training = make_training_table(table, ImputeMethod::median, kernels, 1);
  const std::shared_ptr<const Samples>& samples = training.samples;
  const auto bank = make_exact_bank(samples, training.kernels, 1);
  TrainingPlan plan;
  plan.alpha = "0.1max";  // strong enough that every row of these tables has a coefficient, and stays in the model
  Model model;
  model.classes = target.classes;
  model.n_samples = table.rows();
  for (const FittedKernel& kernel : training.kernels) model.kernel_names.push_back(kernel.spec().name);
  model.tol = plan.settings.tol;
  for (Index f = 0; f < target.n_fits(); ++f) model.fits.push_back(train_fit(bank, nullptr, target, f, plan).fit);
  model.table = make_table_model("y", training.preparation, samples, training.kernels, model.fits, 1);
  return model;
}

/// The columns that the model uses.
inline Samples prepared(const Model& model, const Table& table) {
  const Preparation used = model.table->preparation.only(model.table->used_columns);
  Table reduced = table;
  reduced.columns = used.columns;
  reduced.categories = used.categories;
  reduced.values = table.values(Eigen::all, model.table->used_columns);
  return used.apply(reduced);
}

inline Scores predict(const Model& model, const Table& table) {
  const auto scorer = make_table_scorer(model, prepared(model, table), 1);
  return scorer->scores(0, scorer->n_rows());
}

}  // namespace spicymkl::test
