#include "spicymkl/pipeline/training_input.hpp"

#include "spicymkl/bank/make_bank.hpp"

namespace spicymkl {

namespace {

struct PlannedInput {
  TrainingTable training;
  BankOptions options;
  BankPlan bank;
};

PlannedInput fit_and_plan(Table table, const TablePlan& plan) {
  const BankOptions options{.memory = plan.memory,
                            .expected_passes = plan.expected_passes,
                            .rank_tolerance = plan.rank_tolerance,
                            .threads = plan.threads,
                            .watch = plan.watch,
                            .maker = plan.maker};
  KernelChoice choice = plan.kernels;
  choice.bank = options;
  TrainingTable training = make_training_table(std::move(table), plan.impute, choice, plan.threads, plan.watch);
  // Only now: the descriptions of a million kernels take a good part of what was free.
  BankOptions known = with_known_memory(options);
  BankPlan bank = plan_bank(training.samples->n_rows(), training.outlines, known);
  return {std::move(training), std::move(known), std::move(bank)};
}

}  // namespace

double expected_passes(const ProblemDescription& problem, const Settings& settings) {
  constexpr double kFewPasses = 5, kManyPasses = 100;
  const double threshold = problem.with_alpha(1).make_regularizer()->threshold();
  return threshold > 0 && settings.solver == SolverKind::automatic && !settings.registered ? kFewPasses : kManyPasses;
}

TrainingInput make_gram_input(std::shared_ptr<const DenseBank> grams, PsdMethod psd,
                              const std::shared_ptr<const Device>& device) {
  RepairedBank repaired_grams = repaired(std::move(grams), psd);
  TrainingInput input;
  if (device) {
    input.bank = copy_to(device, *repaired_grams.bank);
    input.exact = std::move(repaired_grams.bank);
  } else {
    input.bank = std::move(repaired_grams.bank);
  }
  input.psd = psd;
  input.repairs = std::move(repaired_grams.repairs);
  return input;
}

std::pair<TrainingTable, BankPlan> plan_training_input(Table table, const TablePlan& plan) {
  PlannedInput input = fit_and_plan(std::move(table), plan);
  return {std::move(input.training), std::move(input.bank)};
}

TrainingInput make_training_input(Table table, Target target, const TablePlan& plan) {
  TrainingInput input;
  input.target = std::move(target);
  input.sample_weights = std::move(table.weights);
  auto [training, options, bank_plan] = fit_and_plan(std::move(table), plan);
  input.table = std::make_shared<TrainingTable>(std::move(training));
  input.target.covariates = covariates_of(*input.table);
  if (plan.planned) plan.planned(*input.table, bank_plan);
  const std::shared_ptr<const Samples>& samples = input.table->samples;
  try {
    input.bank = make_bank(samples, input.table->kernels, bank_plan, options);
  } catch (const Stopped&) {
    input.bank = make_exact_bank(samples, input.table->kernels, plan.threads, plan.watch, 0);
  }
  input.exact = make_proof_bank(samples, input.table->kernels, options, *input.bank);
  return input;
}

}  // namespace spicymkl
