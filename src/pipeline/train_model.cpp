#include "spicymkl/pipeline/train_model.hpp"

namespace spicymkl {

namespace {

Model empty_model(const TrainingInput& input, double tol) {
  Model model;
  model.classes = input.target.classes;
  model.n_samples = input.bank->n_samples();
  for (Index m = 0; m < input.bank->n_kernels(); ++m) model.kernel_names.push_back(input.bank->name(m));
  if ((input.sample_weights.array() != 1).any()) model.sample_weights = input.sample_weights;
  model.tol = tol;
  return model;
}

}  // namespace

TrainedModel train_model(const TrainingInput& input, TrainingPlan plan, const FitProgress& progress) {
  plan.sample_weights = input.sample_weights;
  TrainedModel trained{empty_model(input, plan.settings.tol), {}};
  for (Index f = 0; f < input.target.n_fits(); ++f) {
    if (progress) plan.settings.callback = [&, f](const Record& record) { return progress(f, record); };
    TrainedFit fit = train_fit(input.bank, input.exact, input.target, f, plan);
    trained.model.fits.push_back(std::move(fit.fit));
    trained.histories.push_back(std::move(fit.history));
  }
  if (input.table)
    trained.model.table = make_table_model(input.table->target_name, input.table->preparation, input.table->samples,
                                           input.table->kernels, trained.model.fits);
  if (input.repairs) trained.model.repair = make_gram_repair(input.psd, *input.repairs, trained.model.fits);
  return trained;
}

}  // namespace spicymkl
