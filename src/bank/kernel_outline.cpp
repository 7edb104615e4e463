// Ranks: known, or guessed from a part of the rows of a part of the kernels.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/machine_speed.hpp"
#include "kernel/own_factor.hpp"
#include "kernel/tiles.hpp"
#include "low_rank_bank.hpp"
#include "spicymkl/bank/bank_plan.hpp"

namespace spicymkl {

namespace {

constexpr Index kSampledRows = 300;
constexpr std::size_t kSampledKernels = 48;
constexpr double kGrowth = 0.05;  // of the rank of a smooth kernel, when rows are e times as many: their range grows

/// How many monomials there are of this degree at most: the rank of a power of an inner product.
double monomials(const KernelSpec& spec) {
  const auto degree = spec.parameters.find("degree");
  if (degree == spec.parameters.end()) return static_cast<double>(spec.columns.size());
  // By a product: std::lgamma writes a global variable, and folds are learned side by side.
  double count = 1;
  for (std::size_t column = 1; column <= spec.columns.size() && std::isfinite(count); ++column)
    count *= 1 + degree->second / static_cast<double>(column);
  return std::round(count);
}

/// Without trying: can the kernel have a low rank? A smooth function of one column has; an inner product has the number
/// of columns, and its powers the number of monomials.
bool may_have_low_rank(const FittedKernel& kernel, Index n) {
  if (kernel.base() != Base::inner_product) return kernel.spec().columns.size() == 1;
  return monomials(kernel.spec()) <= static_cast<double>(largest_rank(n));
}

/// A product by a factor reads it twice.
bool is_narrow(Index width, Index n) {
  return 2 * kFactorReading * static_cast<double>(width) <= kDenseReading * static_cast<double>(n);
}

/// Evenly spaced.
std::vector<Index> some_rows(Index n) {
  std::vector<Index> rows;
  const Index count = std::min(n, kSampledRows);
  for (Index i = 0; i < count; ++i) rows.push_back(i * n / count);
  return rows;
}

/// The rank of a kernel of one column on these rows; 0 beyond `most`.
Index rank_on(const FittedKernel& kernel, const Samples& training, const std::vector<Index>& rows, double tolerance,
              Index most) {
  const Samples some = select(training, rows, kernel.spec().columns);
  KernelSpec spec = kernel.spec();
  spec.columns = {0};
  const FittedKernel alone(std::move(spec), kernel.on_rows(rows).normalization());
  return pivoted_cholesky(alone, some, tolerance, most).cols();
}

/// Kernels that differ in their column alone are of one kind.
using Kind = std::pair<std::string, KernelParameters>;
Kind kind_of(const FittedKernel& kernel) { return {kernel.spec().type, kernel.spec().parameters}; }

/// `count` of the items at most, evenly spaced.
template <class Item>
std::vector<Item> thinned(const std::vector<Item>& items, std::size_t count) {
  if (items.size() <= count) return items;
  std::vector<Item> some;
  for (std::size_t k = 0; k < count; ++k) some.push_back(items[k * items.size() / count]);
  return some;
}

std::vector<std::size_t> some_of_each_kind(const std::vector<FittedKernel>& kernels,
                                           const std::vector<std::size_t>& candidates) {
  std::map<Kind, std::vector<std::size_t>> members;
  for (const std::size_t m : candidates) members[kind_of(kernels[m])].push_back(m);
  std::vector<std::size_t> chosen;
  for (const auto& [kind, all] : members) {
    const auto some = thinned(all, std::max<std::size_t>(1, kSampledKernels / members.size()));
    chosen.insert(chosen.end(), some.begin(), some.end());
  }
  return thinned(chosen, kSampledKernels);
}

/// What was found for kernels of one kind, for those that were not tried.
struct Found {
  double ranks = 0;
  Index low = 0, tried = 0;

  void add(Index rank) {
    ranks += static_cast<double>(rank);
    low += rank > 0;
    ++tried;
  }
  Index rank() const { return 2 * low < tried || low == 0 ? 0 : std::lround(ranks / static_cast<double>(low)); }
};

class RankGuess {
 public:
  RankGuess(const Samples& training, double tolerance)
      : training_(training), tolerance_(tolerance), rows_(some_rows(training.n_rows())) {}

  void look_at(const FittedKernel& kernel) {
    const Index n = training_.n_rows();
    const Index rank = rank_on(kernel, training_, rows_, tolerance_, largest_rank(n));
    const double growth = 1 + kGrowth * std::log(static_cast<double>(n) / static_cast<double>(rows_.size()));
    const auto grown = static_cast<Index>(std::lround(growth * static_cast<double>(rank)));
    const Index guess = grown > largest_rank(n) ? 0 : grown;
    by_kind_[kind_of(kernel)].add(guess);
    by_type_[kernel.spec().type].add(guess);
  }

  Index operator()(const FittedKernel& kernel) const {
    const auto same = by_kind_.find(kind_of(kernel));
    if (same != by_kind_.end()) return same->second.rank();
    const auto alike = by_type_.find(kernel.spec().type);
    return alike == by_type_.end() ? 0 : alike->second.rank();
  }

 private:
  const Samples& training_;
  double tolerance_;
  std::vector<Index> rows_;
  std::map<Kind, Found> by_kind_;
  std::map<std::string, Found> by_type_;
};

}  // namespace

std::vector<KernelOutline> outline_kernels(const Samples& training, const std::vector<FittedKernel>& kernels,
                                           double rank_tolerance) {
  const Index n = training.n_rows();
  const std::vector<Index> family = families_of(kernels);
  std::vector<KernelOutline> outlines(kernels.size());
  std::vector<std::size_t> smooth;  // those whose rank has to be guessed
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const FittedKernel& kernel = kernels[m];
    outlines[m] = {.n_columns = std::ssize(kernel.spec().columns), .family = family[m]};
    if (kernel.has_features()) {
      outlines[m].rank = kernel.features().width();
      outlines[m].n_raw = kernel.features().n_raw();
      continue;
    }
    if (const Index width = own_factor_width(kernel, training); width > 0) {
      outlines[m].given = is_narrow(width, n);
      outlines[m].rank = outlines[m].given ? width : 0;
      continue;
    }
    outlines[m].tried = may_have_low_rank(kernel, n);
    if (!outlines[m].tried) continue;
    if (kernel.base() == Base::inner_product) outlines[m].rank = static_cast<Index>(monomials(kernel.spec()));
    else smooth.push_back(m);
  }
  RankGuess guess(training, rank_tolerance);
  for (const std::size_t m : some_of_each_kind(kernels, smooth)) guess.look_at(kernels[m]);
  for (const std::size_t m : smooth) outlines[m].rank = guess(kernels[m]);
  return outlines;
}

}  // namespace spicymkl
