#include "spicymkl/bank/make_bank.hpp"

#include <algorithm>

#include "composite_bank.hpp"
#include "core/guarded_parallel.hpp"
#include "low_rank_bank.hpp"
#include "on_the_fly_bank.hpp"
#include "spicymkl/bank/dense_bank.hpp"
#include "spicymkl/bank/single_bank.hpp"
#include "tiles.hpp"

namespace spicymkl {

namespace {

/// Factors of the kernels that are planned to have one, and of those whose rank was guessed to be too high: empty where
/// it is.
std::vector<Matrix> low_rank_factors(const Samples& training, const std::vector<FittedKernel>& kernels,
                                     const BankPlan& plan, const BankOptions& options) {
  const Index n = training.n_rows();
  std::vector<Matrix> factors(kernels.size());
  WatchedTask task(options.watch, "looking for kernels of low rank", static_cast<Index>(kernels.size()));
  guarded_parallel(static_cast<Index>(kernels.size()), resolve_threads(options.threads), [&](Index m) {
    const auto k = static_cast<std::size_t>(m);
    const KernelOutline& outline = plan.kernels[k];
    if (outline.tried && (plan.forms[k] == KernelForm::low_rank || outline.rank == 0))
      factors[k] = pivoted_cholesky(kernels[k], training, options.rank_tolerance, largest_rank(n), options.watch);
    task.advance();
  });
  return factors;
}

/// The plan with the ranks of these factors in place of guessed ones.
BankPlan confirmed(const BankPlan& plan, const std::vector<Matrix>& factors, const BankOptions& options) {
  std::vector<KernelOutline> outlines = plan.kernels;
  for (std::size_t m = 0; m < outlines.size(); ++m) outlines[m].rank = factors[m].cols();
  return plan_bank(plan.n_samples, std::move(outlines), options);
}

/// Computes every kernel once and keeps it as N×N numbers of the given type.
template <class Bank, class Number>
std::shared_ptr<const KernelBank> make_stored_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                   int threads, const Watch& watch = {}) {
  const Index n = training.n_rows();
  const auto count = static_cast<Index>(kernels.size());
  // Not initialised: the threads that compute a matrix also touch its pages first.
  const std::shared_ptr<Number[]> storage(new Number[static_cast<std::size_t>(n * n * count)]);
  std::vector<const Number*> grams;
  std::vector<std::string> names;
  for (Index m = 0; m < count; ++m) {
    grams.push_back(storage.get() + m * n * n);
    names.push_back(kernels[static_cast<std::size_t>(m)].spec().name);
  }
  std::vector<const FittedKernel*> pointers;
  for (const FittedKernel& kernel : kernels) pointers.push_back(&kernel);
  fill_grams(training, pointers, families_of(kernels), resolve_threads(threads), watch,
             [&](Index m) { return storage.get() + m * n * n; });
  return std::make_shared<Bank>(std::move(grams), n, std::move(names), threads, storage, watch);
}

}  // namespace

std::shared_ptr<const KernelBank> make_bank(std::shared_ptr<const Samples> training,
                                            const std::vector<FittedKernel>& kernels, const BankOptions& options) {
  const BankOptions known = with_known_memory(options);
  const auto outlines = outline_kernels(*training, kernels, options.rank_tolerance);
  return make_bank(training, kernels, plan_bank(training->n_rows(), outlines, known), known);
}

std::shared_ptr<const KernelBank> make_bank(std::shared_ptr<const Samples> training,
                                            const std::vector<FittedKernel>& kernels, const BankPlan& guess,
                                            const BankOptions& options) {
  const Index n = training->n_rows();
  std::vector<Matrix> factors = low_rank_factors(*training, kernels, guess, options);
  const BankPlan plan = confirmed(guess, factors, options);

  enum Part : Index { low_rank, dense, single, on_the_fly };
  std::vector<FittedKernel> dense_kernels, single_kernels, fly_kernels;
  std::vector<Matrix> kept_factors;
  std::vector<std::string> kept_names;
  std::vector<CompositeBank::Place> places;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    switch (plan.forms[m]) {
      case KernelForm::low_rank:
        places.push_back({low_rank, static_cast<Index>(kept_factors.size())});
        kept_factors.push_back(std::move(factors[m]));
        kept_names.push_back(kernels[m].spec().name);
        break;
      case KernelForm::dense:
        places.push_back({dense, static_cast<Index>(dense_kernels.size())});
        dense_kernels.push_back(kernels[m]);
        break;
      case KernelForm::single:
        places.push_back({single, static_cast<Index>(single_kernels.size())});
        single_kernels.push_back(kernels[m]);
        break;
      case KernelForm::on_the_fly:
        places.push_back({on_the_fly, static_cast<Index>(fly_kernels.size())});
        fly_kernels.push_back(kernels[m]);
    }
  }
  factors.clear();  // those that there is no room for
  std::vector<std::shared_ptr<const KernelBank>> parts(4);
  Vector missing(static_cast<Index>(kept_factors.size()));
  for (std::size_t k = 0; k < kept_factors.size(); ++k)
    missing(static_cast<Index>(k)) = missing_trace(kept_factors[k], options.rank_tolerance);
  parts[low_rank] = std::make_shared<LowRankBank>(std::move(kept_factors), std::move(missing), n, std::move(kept_names),
                                                  options.threads, options.watch, plan.working_bytes);
  // A part without kernels is never asked anything; another stands in its place.
  parts[dense] = dense_kernels.empty()
                     ? parts[low_rank]
                     : make_stored_bank<DenseBank, double>(*training, dense_kernels, options.threads, options.watch);
  parts[single] = single_kernels.empty()
                      ? parts[low_rank]
                      : make_stored_bank<SingleBank, float>(*training, single_kernels, options.threads, options.watch);
  parts[on_the_fly] = std::make_shared<OnTheFlyBank>(training, std::move(fly_kernels), plan.working_bytes,
                                                     options.threads, options.watch, plan.working_bytes);
  // A composite of one kind is that kind.
  for (const Index part : {low_rank, dense, single, on_the_fly})
    if (std::all_of(places.begin(), places.end(), [&](const auto& place) { return place.part == part; }))
      return parts[static_cast<std::size_t>(part)];
  return std::make_shared<CompositeBank>(std::move(parts), std::move(places));
}

std::shared_ptr<const KernelBank> make_exact_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, int threads, Watch watch,
                                                  double work_bytes) {
  return std::make_shared<OnTheFlyBank>(std::move(training), kernels, 0, threads, std::move(watch), work_bytes);
}

std::shared_ptr<const KernelBank> make_dense_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                  int threads) {
  return make_stored_bank<DenseBank, double>(training, kernels, threads);
}

std::shared_ptr<const KernelBank> make_single_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                   int threads) {
  return make_stored_bank<SingleBank, float>(training, kernels, threads);
}

}  // namespace spicymkl
