#include "spicymkl/model/scores.hpp"
#include "spicymkl/selection/dataset.hpp"

namespace spicymkl {

namespace {

class LearningTableRows final : public LearningRows {
 public:
  LearningTableRows(const Table& table, TrainingInput input, int threads)
      : table_(table), input_(std::move(input)), threads_(threads) {}

  const TrainingInput& input() const override { return input_; }

  Scores scores(const std::vector<Fit>& fits, std::span<const Index> rows) const override {
    const TrainingTable& training = *input_.table;
    Model model;
    model.fits = fits;
    model.n_samples = training.samples->n_rows();
    model.table = make_table_model(training.target_name, training.preparation, training.samples, training.kernels, fits,
                                   threads_);
    // The scorer reads the columns that some active kernel uses, in this order.
    const Preparation used = training.preparation.only(model.table->used_columns);
    Table fresh = select_rows(table_, rows);
    fresh.columns = used.columns;
    fresh.categories = used.categories;
    fresh.values = Matrix(fresh.values(Eigen::all, model.table->used_columns));
    fresh.views = fresh.views.columns(model.table->used_columns);
    return make_table_scorer(model, used.apply(std::move(fresh)), threads_)->scores(0, std::ssize(rows));
  }

 private:
  const Table& table_;
  TrainingInput input_;
  int threads_;
};

class TableDataset final : public Dataset {
 public:
  TableDataset(Table table, Target target, TablePlan plan)
      : table_(std::move(table)), target_(std::move(target)), plan_(std::move(plan)) {}

  const Target& target() const override { return target_; }

  std::unique_ptr<LearningRows> learn_from(std::vector<Index> rows, const Share& share,
                                           const std::string& kernels) const override {
    TablePlan plan = plan_for(share);
    if (!kernels.empty()) plan.kernels.spec = kernels;
    return std::make_unique<LearningTableRows>(
        table_, make_training_input(select_rows(table_, rows), target_.rows(rows), plan), share.threads);
  }

  Model outline(const Share& share) const override {
    const TrainingTable training = plan_training_input(table_, plan_for(share)).first;
    Model model;
    model.classes = target_.classes;
    for (const FittedKernel& kernel : training.kernels) model.kernel_names.push_back(kernel.spec().name);
    model.table =
        make_table_model(training.target_name, training.preparation, training.samples, training.kernels, {}, 1);
    return model;
  }

  double kernel_bytes(Index) const override { return 0; }  // a bank keeps to the memory that it is given

 private:
  TablePlan plan_for(const Share& share) const {
    TablePlan plan = plan_;
    plan.threads = share.threads;
    plan.memory = share.memory;
    plan.rank_tolerance = share.rank_tolerance;
    return plan;
  }

  Table table_;
  Target target_;
  TablePlan plan_;
};

}  // namespace

std::unique_ptr<Dataset> make_table_dataset(Table table, Target target, TablePlan plan) {
  return std::make_unique<TableDataset>(std::move(table), std::move(target), std::move(plan));
}

}  // namespace spicymkl
