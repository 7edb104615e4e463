#include "spicymkl/bank/bank_plan.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/free_memory.hpp"
#include "core/machine_speed.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

namespace {

constexpr Index kLargestRank = 128;
constexpr double kStoredPart = 0.5;   // of the room for matrices; the rest is for the working set of kernels on the fly
constexpr double kWorkingPart = 0.8;  // of what is left then, so that a working set can grow while the last one lives

double square(Index n) { return static_cast<double>(n) * static_cast<double>(n); }

/// Computing a kernel afresh at every pass against computing, storing and reading it.
bool worth_storing(const KernelOutline& kernel, double passes) {
  const double fly = entry_cost(static_cast<double>(kernel.n_columns));
  return fly + kDenseWriting + passes * kDenseReading < passes * fly;
}

/// The memory that is left, while forms are chosen.
class Room {
 public:
  Room(Index n, double memory, const std::vector<KernelOutline>& kernels) : n_(n), factors_(memory) {
    double wanted = 0;
    for (const KernelOutline& kernel : kernels) wanted += kernel.n_raw > 0 ? 0 : factor_bytes(kernel);
    matrices_ = kStoredPart * std::max(0.0, memory - wanted);
    rest_ = (1 - kStoredPart) * std::max(0.0, memory - wanted);
  }

  KernelForm choose(const KernelOutline& kernel, double passes) {
    if (kernel.n_raw > 0) return KernelForm::features;
    const double gram = sizeof(double) * square(n_);
    if (kernel.rank > 0 && take(factor_bytes(kernel), factors_)) return KernelForm::low_rank;
    if (worth_storing(kernel, passes)) {
      if (take(gram, matrices_)) return KernelForm::dense;
      if (take(gram / 2, matrices_)) return KernelForm::single;
    }
    return KernelForm::on_the_fly;
  }

  double for_working_set() const { return kWorkingPart * (rest_ + matrices_); }

  double factor_bytes(const KernelOutline& kernel) const {
    return static_cast<double>(sizeof(double)) * static_cast<double>(n_) * static_cast<double>(kernel.rank);
  }

 private:
  static bool take(double bytes, double& from) {
    if (bytes > from) return false;
    from -= bytes;
    return true;
  }

  Index n_;
  double factors_, matrices_, rest_;
};

double bytes_of(KernelForm form, Index n, const KernelOutline& kernel) {
  switch (form) {
    case KernelForm::low_rank:
      return sizeof(double) * static_cast<double>(n) * static_cast<double>(kernel.rank);
    case KernelForm::dense:
      return sizeof(double) * square(n);
    case KernelForm::single:
      return sizeof(float) * square(n);
    case KernelForm::on_the_fly:
    case KernelForm::features:
      return 0;
  }
  return 0;
}

/// Pivoted Cholesky to this rank: the pivots' columns, each less all before it.
double factor_cost(Index n, Index n_columns, Index rank) {
  const auto r = static_cast<double>(rank);
  return static_cast<double>(n) * (r * entry_cost(static_cast<double>(n_columns)) + kFactorEntry * r * r / 2) +
         kEachColumn * r;
}

/// Nanoseconds of one core to compute the lower triangles of kernels of one form and family.
struct FamilyCost {
  double n_columns = 0;
  Index n_kernels = 0;

  double triangles(Index n) const {
    return square(n) / 2 * (kBaseColumn * n_columns + static_cast<double>(n_kernels) * kMapping);
  }
};

using Families = std::map<Index, FamilyCost>;

Families families_with(const BankPlan& plan, KernelForm form) {
  Families families;
  for (std::size_t m = 0; m < plan.kernels.size(); ++m) {
    if (plan.forms[m] != form) continue;
    FamilyCost& family = families[plan.kernels[m].family];
    family.n_columns = static_cast<double>(plan.kernels[m].n_columns);
    ++family.n_kernels;
  }
  return families;
}

double triangles_cost(const Families& families, Index n) {
  double sum = 0;
  for (const auto& [number, family] : families) sum += family.triangles(n);
  return sum;
}

double build_cost(const BankPlan& plan) {
  const Index n = plan.n_samples;
  double cost = kEachKernel * static_cast<double>(plan.kernels.size());
  for (const KernelOutline& kernel : plan.kernels) {
    if (kernel.tried) cost += factor_cost(n, kernel.n_columns, kernel.rank > 0 ? kernel.rank : largest_rank(n));
    if (kernel.given) cost += (kDenseWriting + kPageFaults) * static_cast<double>(n) * static_cast<double>(kernel.rank);
  }
  for (const KernelForm form : {KernelForm::dense, KernelForm::single})
    cost += triangles_cost(families_with(plan, form), n);
  cost +=
      square(n) * (kDenseWriting + kPageFaults) *
      (static_cast<double>(plan.count(KernelForm::dense)) + static_cast<double>(plan.count(KernelForm::single)) / 2);
  return cost / speedup(plan.threads);
}

double pass_cost(const BankPlan& plan) {
  const Index n = plan.n_samples;
  double stored = 0;
  for (std::size_t m = 0; m < plan.kernels.size(); ++m) {
    if (plan.forms[m] == KernelForm::low_rank)
      stored += kFactorReading * static_cast<double>(n) * static_cast<double>(plan.kernels[m].rank);
    if (plan.forms[m] == KernelForm::features)
      stored += (entry_cost(static_cast<double>(plan.kernels[m].n_columns)) + kFactorReading) * static_cast<double>(n) *
                static_cast<double>(plan.kernels[m].n_raw);
    if (plan.forms[m] == KernelForm::dense) stored += kDenseReading * square(n);
    if (plan.forms[m] == KernelForm::single) stored += kDenseReading * square(n) / 2;
  }
  const double computed = triangles_cost(families_with(plan, KernelForm::on_the_fly), n) +
                          square(n) / 2 * kDenseReading * static_cast<double>(plan.count(KernelForm::on_the_fly));
  return (stored + computed) / speedup(plan.threads);
}

}  // namespace

double default_bank_memory(const BankMaker* maker) { return maker ? maker->default_memory() : 0.5 * free_memory(); }

BankOptions with_known_memory(BankOptions options) {
  if (!(options.memory > 0)) options.memory = default_bank_memory(options.maker.get());
  return options;
}

Index largest_rank(Index n_samples) { return std::min(kLargestRank, std::max<Index>(4, n_samples / 4)); }

Index BankPlan::count(KernelForm form) const { return std::count(forms.begin(), forms.end(), form); }

BankPlan plan_bank(Index n_samples, std::vector<KernelOutline> kernels, const BankOptions& options) {
  BankPlan plan;
  plan.n_samples = n_samples;
  plan.kernels = std::move(kernels);
  const int processes = options.maker ? options.maker->n_processes() : 1;
  plan.threads = processes * resolve_threads(options.threads);
  Room room(n_samples, processes * options.memory, plan.kernels);
  for (const KernelOutline& kernel : plan.kernels) {
    plan.forms.push_back(room.choose(kernel, options.expected_passes));
    plan.bytes += bytes_of(plan.forms.back(), n_samples, kernel);
  }
  plan.working_bytes = plan.subset_bytes = room.for_working_set();
  plan.build_seconds = kNanosecond * build_cost(plan);
  plan.pass_seconds = kNanosecond * pass_cost(plan);
  return plan;
}

BankPlan plan_of_matrices(Index n_samples, Index n_kernels, int threads) {
  BankPlan plan;
  plan.n_samples = n_samples;
  plan.kernels.resize(n_kernels);
  plan.forms.assign(plan.kernels.size(), KernelForm::dense);
  plan.bytes = sizeof(double) * square(n_samples) * static_cast<double>(n_kernels);
  plan.threads = resolve_threads(threads);
  plan.working_bytes = default_bank_memory();
  plan.pass_seconds = kNanosecond * pass_cost(plan);
  return plan;
}

}  // namespace spicymkl
