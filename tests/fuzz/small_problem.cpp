#include "small_problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl::fuzz {

namespace {

constexpr Index kRows = 8;

double wave(Index i, Index j) { return std::sin(static_cast<double>(3 * i + 5 * j + 1)); }

std::string label(Index row, int n_classes) {
  if (n_classes == 0) return fmt::format("{:.3f}", wave(row, 0) + 0.25 * wave(row, 2));
  return fmt::format("class {}", row % n_classes);
}

}  // namespace

Table small_table(int n_classes) {
  Table table;
  table.path = "small.csv";
  table.columns = {"a", "b", "colour", "d"};
  table.categories = {{}, {}, {"blue", "red"}, {}};
  table.target_name = "y";
  table.values.resize(kRows, 4);
  for (Index i = 0; i < kRows; ++i) {
    for (const Index j : {0, 1, 3}) table.values(i, j) = wave(i, j);
    table.values(i, 2) = static_cast<double>(i / 2 % 2);
    table.target.push_back(label(i, n_classes));
  }
  return table;
}

Samples small_samples() { return to_samples(small_table(2)); }

namespace {

TablePlan small_table_plan(const std::string& kernels) {
  TablePlan plan;
  plan.impute = ImputeMethod::median;
  plan.kernels.spec = kernels;
  plan.threads = 1;
  return plan;
}

}  // namespace

TrainingInput small_input(int n_classes, const std::string& kernels) {
  Table table = small_table(n_classes);
  spicymkl::Target target = make_target(table, "auto", Task::automatic, MultiClass::ovr);
  return make_training_input(std::move(table), std::move(target), small_table_plan(kernels));
}

TrainingInput small_joint_input(const std::string& kernels) {
  Table table = small_table(3);
  table.views = {{"numbers", "colours"}, {0, 0, 1, 0}, MissingView::zero, Matrix::Ones(kRows, 2)};
  table.views.present(1, 1) = 0;
  table.values(1, 2) = std::nan("");
  spicymkl::Target target = make_target(table, "auto", Task::automatic, MultiClass::joint);
  return make_training_input(std::move(table), std::move(target), small_table_plan(kernels));
}

TrainingInput small_targets_input(const std::string& kernels) {
  Table table = small_table(0);
  table.target.clear();
  table.target_names = {"y", "z"};
  table.targets.resize(kRows, 2);
  for (Index i = 0; i < kRows; ++i) table.targets.row(i) << wave(i, 0), wave(i, 1) + wave(i, 3);
  spicymkl::Target target = make_target(table, "auto");
  return make_training_input(std::move(table), std::move(target), small_table_plan(kernels));
}

TrainingInput small_survival_input(const std::string& kernels) {
  Table table = small_table(0);
  table.event_name = "died";
  for (Index i = 0; i < kRows; ++i) {
    table.target[i] = fmt::format("{}", 1 + 5 * i % 7);
    table.events.push_back(i % 3 == 0 ? "0" : "1");
  }
  spicymkl::Target target = make_survival_target(table);
  TablePlan plan = small_table_plan(kernels);
  plan.kernels.covariates = {"d", "colour"};
  return make_training_input(std::move(table), std::move(target), plan);
}

TrainingInput small_gram_input(bool indefinite) {
  const auto grams = std::make_shared<std::vector<Matrix>>();
  for (Index m = 0; m < 2; ++m) {
    Matrix factor(kRows, kRows);
    for (Index j = 0; j < kRows; ++j)
      for (Index i = 0; i < kRows; ++i) factor(i, j) = wave(i + m, j);
    grams->push_back(factor * factor.transpose());
  }
  if (indefinite) grams->back().diagonal().array() -= 1;
  std::vector<const double*> data;
  for (const Matrix& gram : *grams) data.push_back(gram.data());
  auto bank = std::make_shared<const DenseBank>(data, kRows, std::vector<std::string>{}, 1, grams);
  TrainingInput input = make_gram_input(bank, indefinite ? PsdMethod::clip : PsdMethod::refuse);
  input.target = make_target(small_table(2), "hinge");
  return input;
}

TrainingPlan small_plan() {
  TrainingPlan plan;
  plan.settings.max_iter = 20;
  return plan;
}

}  // namespace spicymkl::fuzz
