#include "spicymkl/pipeline/training_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "affordable_columns.hpp"
#include "core/guarded_parallel.hpp"
#include "covariate_check.hpp"
#include "feature_choice.hpp"
#include "spicymkl/core/error.hpp"
#include "spicymkl/core/parallel.hpp"
#include "spicymkl/kernel/kernel_list.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "table_check.hpp"

namespace spicymkl {

namespace {

KernelList list_kernels(const KernelChoice& choice, Samples& samples, std::vector<Index> covariates, int threads,
                        const Watch& watch) {
  const WatchedTask listing(watch, "listing kernels");
  KernelListOptions options;
  options.watch = watch;
  options.threads = resolve_threads(threads);
  options.seed = choice.seed;
  options.standardize = choice.standardize;
  options.covariates = std::move(covariates);
  if (!choice.groups.empty()) options.groups = read_groups(choice.groups, samples.columns, samples.views);
  return list_and_standardize(choice.spec, samples, options);
}

/// Adds kernels of these specifications in their order. Should one fail, those before it are there.
void fit_together(std::span<KernelSpec> specs, const Samples& samples, int threads, const Watch& watch,
                  WatchedTask& task, std::vector<FittedKernel>& kernels) {
  std::vector<std::optional<FittedKernel>> fitted(specs.size());
  const auto keep = [&] {
    for (std::size_t k = 0; k < fitted.size() && fitted[k]; ++k) kernels.push_back(std::move(*fitted[k]));
  };
  try {
    guarded_parallel(std::ssize(specs), threads, [&](Index k) {
      fitted[k] = FittedKernel::fit(std::move(specs[k]), samples, threads, watch);
      task.advance();
    });
  } catch (...) {
    keep();
    throw;
  }
  keep();
}

constexpr std::size_t kOfAThread = 16;       // kernels that a thread fits before all wait for each other
constexpr std::size_t kBetweenStops = 4096;  // kernels that are fitted without a look at the watch

/// Adds to `kernels` as long as the watch lets it.
void fit_into(std::vector<FittedKernel>& kernels, std::vector<KernelSpec> specs, const Samples& samples,
              const std::string& source, int threads, const Watch& watch) {
  WatchedTask task(watch, "fitting kernels", std::ssize(specs));
  kernels.reserve(specs.size());
  const int all_threads = resolve_threads(threads);
  const std::size_t together = kOfAThread * static_cast<std::size_t>(all_threads);
  try {
    for (std::size_t first = 0; first < specs.size(); first += together) {
      if (first > 0 && first / kBetweenStops > (first - together) / kBetweenStops) watch.check();
      fit_together(std::span(specs).subspan(first, std::min(together, specs.size() - first)), samples, all_threads,
                   watch, task, kernels);
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
}

}  // namespace

std::vector<FittedKernel> fit_kernels(std::vector<KernelSpec> specs, const Samples& samples, const std::string& source,
                                      int threads, const Watch& watch) {
  std::vector<FittedKernel> kernels;
  fit_into(kernels, std::move(specs), samples, source, threads, watch);
  return kernels;
}

Covariates covariates_of(const TrainingTable& training) {
  Covariates covariates;
  for (const CovariateTerm& term : training.preparation.covariates) covariates.names.push_back(term.name);
  if (covariates.count() > 0) covariates.values = covariate_values(*training.samples, training.preparation.covariates);
  return covariates;
}

TrainingTable make_training_table(Table table, const std::optional<ImputeMethod>& impute, const KernelChoice& choice,
                                  int threads, const Watch& watch) {
  check_texts(table);
  TrainingTable training;
  training.target_name = table.target_name;
  training.preparation.columns = table.columns;
  training.preparation.categories = table.categories;
  training.preparation.id_name = table.id_name;
  training.preparation.views = table.views;
  training.preparation.views.present.resize(0, 0);
  if (impute) {
    training.preparation.imputer = fit_imputer(table, *impute);
    training.preparation.imputer->apply(table.values);
  } else {
    check_complete(table, kImputeAdvice, resolve_threads(threads));
  }
  const std::string path = table.path;
  std::vector<Index> covariates = covariate_columns(table, choice.covariates);
  training.preparation.covariates = covariate_terms(table.columns, table.categories, covariates);
  Samples samples = to_samples(std::move(table));
  KernelList list = list_kernels(choice, samples, std::move(covariates), threads, watch);
  training.samples = std::make_shared<const Samples>(std::move(samples));
  training.groups = std::move(list.groups);
  training.preparation.standardizer = std::move(list.standardizer);
  training.remarks = std::move(list.remarks);
  if (std::string features = choose_features(list.kernels, *training.samples, choice); !features.empty())
    training.remarks.push_back(std::move(features));
  const std::size_t asked = list.kernels.size();
  try {
    fit_into(training.kernels, std::move(list.kernels), *training.samples, path, threads, watch);
  } catch (const Stopped&) {
    if (training.kernels.empty()) throw;
    training.remarks.push_back(fmt::format("{} when {} of {} kernels were ready: the others are left out",
                                           watch.reason(), training.kernels.size(), asked));
  }
  if (std::string cut = cut_kernels(training.kernels); !cut.empty()) training.remarks.push_back(std::move(cut));
  training.outlines = outline_kernels(*training.samples, training.kernels, choice.bank.rank_tolerance);
  if (auto_part(choice.spec) == AutoPart::both) keep_affordable_columns(training, choice.bank);
  return training;
}

}  // namespace spicymkl
