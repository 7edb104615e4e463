#include "spicymkl/pipeline/training_input.hpp"

#include "spicymkl/bank/make_bank.hpp"

namespace spicymkl {

double expected_passes(const Regularizer& regularizer, SolverKind solver) {
  constexpr double kFewPasses = 5, kManyPasses = 100;
  return regularizer.threshold() > 0 && solver == SolverKind::automatic ? kFewPasses : kManyPasses;
}

double expected_passes(const ProblemDescription& problem, SolverKind solver) {
  ProblemDescription unit = problem;
  unit.alpha = 1;
  return expected_passes(*unit.make_regularizer(), solver);
}

TrainingInput make_gram_input(std::shared_ptr<const DenseBank> grams, PsdMethod psd) {
  MendedBank mended = mend(std::move(grams), psd);
  TrainingInput input;
  input.bank = std::move(mended.bank);
  input.psd = psd;
  input.repairs = std::move(mended.repairs);
  return input;
}

TrainingInput make_training_input(Table table, Target target, const TablePlan& plan) {
  TrainingInput input;
  input.target = std::move(target);
  input.table = make_training_table(std::move(table), plan.impute, plan.kernels, plan.threads, plan.watch);
  const auto samples = std::make_shared<const Samples>(input.table->samples);
  try {
    input.bank = make_bank(
        samples, input.table->kernels,
        {.memory = plan.memory, .expected_passes = plan.expected_passes, .threads = plan.threads, .watch = plan.watch});
  } catch (const Stopped&) {
    input.bank = make_exact_bank(samples, input.table->kernels, plan.threads, plan.watch, 0);
  }
  if (!input.bank->exact())
    input.exact = make_exact_bank(samples, input.table->kernels, plan.threads, plan.watch, input.bank->work_bytes());
  return input;
}

}  // namespace spicymkl
