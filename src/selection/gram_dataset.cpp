#include "spicymkl/core/parallel.hpp"
#include "spicymkl/model/scores.hpp"
#include "spicymkl/selection/dataset.hpp"

namespace spicymkl {

namespace {

/// Some rows and columns of all matrices, one matrix after the other, row after row.
std::shared_ptr<const double[]> cut_out(const DenseBank& grams, KernelSet kernels, std::span<const Index> rows,
                                        std::span<const Index> columns, int threads) {
  const auto n_rows = std::ssize(rows), n_columns = std::ssize(columns);
  const auto count = std::ssize(kernels);
  const std::shared_ptr<double[]> parts(new double[n_rows * n_columns * count]);
  parallel_for(count, resolve_threads(threads), static_cast<double>(n_rows * n_columns), [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto gram = grams.gram(kernels[k]);
      double* out = parts.get() + k * n_rows * n_columns;
      for (const Index row : rows)
        for (const Index column : columns) *out++ = gram(column, row);  // symmetric: down a column is faster
    }
  });
  return parts;
}

std::vector<std::string> names_of(const KernelBank& bank) {
  std::vector<std::string> names;
  for (Index m = 0; m < bank.n_kernels(); ++m) names.push_back(bank.name(m));
  return names;
}

std::vector<const double*> pointers(const std::shared_ptr<const double[]>& parts, Index size, Index count) {
  std::vector<const double*> list;
  for (Index k = 0; k < count; ++k) list.push_back(parts.get() + k * size);
  return list;
}

class LearningGramRows final : public LearningRows {
 public:
  LearningGramRows(const DenseBank& grams, std::vector<Index> rows, const Target& target, const Vector& weights,
                   PsdMethod psd, int threads)
      : grams_(grams), rows_(std::move(rows)), threads_(threads), covariates_(target.covariates) {
    const auto n = std::ssize(rows_);
    const std::vector<Index> all = all_kernels(grams.n_kernels());
    const auto parts = cut_out(grams, all, rows_, rows_, threads);
    input_ = make_gram_input(std::make_shared<DenseBank>(pointers(parts, n * n, all.size()), n, names_of(grams),
                                                         threads, parts, grams.watch()),
                             psd);
    input_.target = target.rows(rows_);
    if (weights.size() > 0) input_.sample_weights = weights(rows_);
  }

  const TrainingInput& input() const override { return input_; }

  Scores scores(const std::vector<Fit>& fits, std::span<const Index> rows) const override {
    Model model;
    model.fits = fits;
    model.n_samples = input_.bank->n_samples();
    if (input_.repairs) model.repair = make_gram_repair(input_.psd, *input_.repairs, fits);
    model.kernel_names = names_of(grams_);
    const std::vector<Index> active = active_kernels(fits);
    const auto n = std::ssize(rows);
    const auto parts = cut_out(grams_, active, rows, rows_, threads_);
    return make_gram_scorer(model, pointers(parts, n * model.n_samples, active.size()), n, threads_, parts,
                            covariates_.rows(rows).values)
        ->scores(0, n);
  }

 private:
  const DenseBank& grams_;
  std::vector<Index> rows_;
  int threads_;
  const Covariates& covariates_;  ///< of all rows
  TrainingInput input_;
};

class GramDataset final : public Dataset {
 public:
  GramDataset(std::shared_ptr<const DenseBank> grams, Target target, Vector weights, PsdMethod psd)
      : grams_(std::move(grams)), target_(std::move(target)), weights_(std::move(weights)), psd_(psd) {}

  const Target& target() const override { return target_; }

  std::unique_ptr<LearningRows> learn_from(std::vector<Index> rows, const Share& share,
                                           const std::string&) const override {
    return std::make_unique<LearningGramRows>(*grams_, std::move(rows), target_, weights_, psd_, share.threads);
  }

  Model outline(const Share&) const override {
    Model model;
    model.classes = target_.classes;
    model.kernel_names = names_of(*grams_);
    return model;
  }

  double kernel_bytes(Index n_rows) const override {
    return sizeof(double) * static_cast<double>(grams_->n_kernels()) * static_cast<double>(n_rows) *
           static_cast<double>(n_rows);
  }

 private:
  std::shared_ptr<const DenseBank> grams_;
  Target target_;
  Vector weights_;
  PsdMethod psd_;
};

}  // namespace

std::unique_ptr<Dataset> make_gram_dataset(std::shared_ptr<const DenseBank> grams, Target target, Vector weights,
                                           PsdMethod psd) {
  return std::make_unique<GramDataset>(std::move(grams), std::move(target), std::move(weights), psd);
}

}  // namespace spicymkl
