#include "spicymkl/bank/make_bank.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "composite_bank.hpp"
#include "core/guarded_parallel.hpp"
#include "core/large_room.hpp"
#include "feature_bank.hpp"
#include "kernel/own_factor.hpp"
#include "kernel/tiles.hpp"
#include "low_rank_bank.hpp"
#include "on_the_fly_bank.hpp"
#include "spicymkl/bank/stored_bank.hpp"

namespace spicymkl {

namespace {

/// Factors of the kernels that are planned to have one, and of those whose rank was guessed to be too high: empty where
/// it is.
std::vector<Matrix> low_rank_factors(const Samples& training, const std::vector<FittedKernel>& kernels,
                                     const BankPlan& plan, const BankOptions& options) {
  const Index n = training.n_rows();
  std::vector<Matrix> factors(kernels.size());
  WatchedTask task(options.watch, "looking for kernels of low rank", std::ssize(kernels));
  guarded_parallel(std::ssize(kernels), resolve_threads(options.threads), [&](Index m) {
    const KernelOutline& outline = plan.kernels[m];
    if (outline.given && plan.forms[m] == KernelForm::low_rank) factors[m] = own_factor(kernels[m], training);
    if (outline.tried && (plan.forms[m] == KernelForm::low_rank || outline.rank == 0))
      factors[m] = pivoted_cholesky(kernels[m], training, options.rank_tolerance, largest_rank(n), options.watch);
    task.advance();
  });
  return factors;
}

/// The plan with the ranks of these factors in place of guessed ones.
BankPlan confirmed(const BankPlan& plan, const std::vector<Matrix>& factors, const BankOptions& options) {
  std::vector<KernelOutline> outlines = plan.kernels;
  for (std::size_t m = 0; m < outlines.size(); ++m)
    if (outlines[m].n_raw == 0) outlines[m].rank = factors[m].cols();
  return plan_bank(plan.n_samples, std::move(outlines), options);
}

/// Computes every kernel once and keeps it as N×N numbers of the given type.
template <class Number>
std::shared_ptr<const KernelBank> make_stored_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                   int threads, const Watch& watch = {}) {
  const Index n = training.n_rows();
  const auto storage = large_room<Number>(static_cast<std::size_t>(n * n * std::ssize(kernels)));
  std::vector<const FittedKernel*> pointers;
  std::vector<const Number*> grams;
  std::vector<std::string> names;
  for (const FittedKernel& kernel : kernels) {
    grams.push_back(storage.get() + n * n * std::ssize(grams));
    pointers.push_back(&kernel);
    names.push_back(kernel.spec().name);
  }
  using Gram = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
  fill_grams(pointers, families_of(kernels), training, resolve_threads(threads), watch,
             [&](Index m) { return Eigen::Map<Gram>(storage.get() + m * n * n, n, n); });
  return std::make_shared<StoredBank<Number>>(std::move(grams), n, std::move(names), threads, storage, watch);
}

std::shared_ptr<const KernelBank> make_low_rank_bank(std::vector<Matrix> factors,
                                                     const std::vector<FittedKernel>& kernels, const Samples& training,
                                                     const BankOptions& options, double work_bytes) {
  std::vector<std::string> names;
  Vector missing(std::ssize(factors));
  for (Index k = 0; k < missing.size(); ++k) {
    names.push_back(kernels[k].spec().name);
    missing(k) = own_factor_width(kernels[k], training) > 0 ? 0 : missing_trace(factors[k], options.rank_tolerance);
  }
  return std::make_shared<LowRankBank>(std::move(factors), std::move(missing), training.n_rows(), std::move(names),
                                       options.threads, options.watch, work_bytes);
}

/// The kernels that a plan keeps in one form.
struct KernelsOfForm {
  std::vector<FittedKernel> kernels;
  std::vector<Matrix> factors;  ///< of those of low rank
};

/// What low-rank kernels may use to work. Where others are computed on the fly, room is short, and theirs.
double work_bytes_of_factors(const BankPlan& plan) {
  constexpr double kLittle = 0x1p29;
  return plan.count(KernelForm::on_the_fly) > 0 ? std::min(kLittle, plan.working_bytes) : plan.working_bytes;
}

std::shared_ptr<const KernelBank> make_part(KernelForm form, KernelsOfForm kept,
                                            std::shared_ptr<const Samples> training, const BankPlan& plan,
                                            const BankOptions& options) {
  switch (form) {
    case KernelForm::low_rank:
      return make_low_rank_bank(std::move(kept.factors), kept.kernels, *training, options, work_bytes_of_factors(plan));
    case KernelForm::dense:
      return make_stored_bank<double>(*training, kept.kernels, options.threads, options.watch);
    case KernelForm::single:
      return make_stored_bank<float>(*training, kept.kernels, options.threads, options.watch);
    case KernelForm::features:
      return std::make_shared<FeatureBank>(std::move(training), std::move(kept.kernels), options.threads, options.watch,
                                           plan.working_bytes);
    case KernelForm::on_the_fly:
      break;
  }
  return std::make_shared<OnTheFlyBank>(std::move(training), std::move(kept.kernels), plan.subset_bytes,
                                        options.threads, options.watch, plan.working_bytes);
}

/// Kernels in the forms of the plan; `factors` are those of low-rank kernels, by number.
std::shared_ptr<const KernelBank> make_parts(const std::shared_ptr<const Samples>& training,
                                             const std::vector<FittedKernel>& kernels, std::vector<Matrix> factors,
                                             const BankPlan& plan, const BankOptions& options) {
  std::map<KernelForm, KernelsOfForm> by_form;
  for (const KernelForm form : std::set(plan.forms.begin(), plan.forms.end()))
    by_form[form].kernels.reserve(static_cast<std::size_t>(plan.count(form)));
  std::vector<Index> position;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    KernelsOfForm& form = by_form[plan.forms[m]];
    position.push_back(std::ssize(form.kernels));
    form.kernels.push_back(kernels[m]);
    if (plan.forms[m] == KernelForm::low_rank) form.factors.push_back(std::move(factors[m]));
  }
  factors.clear();  // those that there is no room for
  std::map<KernelForm, Index> number;
  std::vector<std::shared_ptr<const KernelBank>> parts;
  for (auto& [form, kept] : by_form) {
    number[form] = std::ssize(parts);
    parts.push_back(make_part(form, std::move(kept), training, plan, options));
  }
  if (parts.size() == 1) return parts.front();
  std::vector<CompositeBank::Place> places;
  for (std::size_t m = 0; m < kernels.size(); ++m) places.push_back({number[plan.forms[m]], position[m]});
  return std::make_shared<CompositeBank>(std::move(parts), std::move(places), plan.working_bytes);
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
  if (options.maker) return options.maker->make(std::move(training), kernels, guess, options);
  std::vector<Matrix> factors = low_rank_factors(*training, kernels, guess, options);
  const BankPlan plan = confirmed(guess, factors, options);
  return make_parts(training, kernels, std::move(factors), plan, options);
}

std::shared_ptr<const KernelBank> make_exact_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, int threads, Watch watch,
                                                  double work_bytes) {
  BankPlan plan;
  plan.working_bytes = work_bytes;
  for (const FittedKernel& kernel : kernels)
    plan.forms.push_back(kernel.has_features() ? KernelForm::features : KernelForm::on_the_fly);
  return make_parts(training, kernels, {}, plan, {.threads = threads, .watch = std::move(watch)});
}

std::shared_ptr<const KernelBank> make_exact_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                                  double work_bytes) {
  if (options.maker) return options.maker->make_exact(std::move(training), kernels, options, work_bytes);
  return make_exact_bank(std::move(training), kernels, options.threads, options.watch, work_bytes);
}

std::shared_ptr<const KernelBank> make_proof_bank(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                                  const KernelBank& bank) {
  if (options.maker) return options.maker->make_proof(std::move(training), kernels, options, bank);
  if (bank.exact()) return nullptr;
  return make_exact_bank(std::move(training), kernels, options.threads, options.watch, bank.work_bytes());
}

std::shared_ptr<const KernelBank> make_dense_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                  int threads) {
  return make_stored_bank<double>(training, kernels, threads);
}

std::shared_ptr<const KernelBank> make_single_bank(const Samples& training, const std::vector<FittedKernel>& kernels,
                                                   int threads) {
  return make_stored_bank<float>(training, kernels, threads);
}

}  // namespace spicymkl
