#include "spicymkl/bank/make_bank.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "spicymkl/bank/composite_bank.hpp"
#include "spicymkl/bank/dense_bank.hpp"
#include "spicymkl/bank/low_rank_bank.hpp"
#include "spicymkl/bank/on_the_fly_bank.hpp"
#include "spicymkl/bank/single_bank.hpp"
#include "spicymkl/core/guarded_parallel.hpp"
#include "tiles.hpp"

namespace spicymkl {

namespace {

constexpr Index kLargestRank = 128;
constexpr double kDenseReading = 0.4;  // nanoseconds to read an entry of a stored matrix, and
constexpr double kDenseWriting = 2.0;  // to write it for the first time, page faults included
constexpr double kMapping = 1.0;       // to map a base value to a kernel value, and
constexpr double kBaseColumn = 0.3;    // to add one column to a base value

/// Rank beyond which a factor does not pay: its passes would cost as much as those of the dense matrix.
Index largest_rank(Index n) { return std::min(kLargestRank, std::max<Index>(4, n / 4)); }

/// Without trying: can the kernel have a low rank? A smooth function of one column has; an inner product has the number
/// of columns, and its powers the number of monomials.
bool may_have_low_rank(const FittedKernel& kernel, Index n) {
  const auto columns = static_cast<double>(kernel.spec().columns.size());
  if (kernel.base() != Base::inner_product) return columns == 1;
  const auto degree = kernel.spec().parameters.find("degree");
  const double d = degree == kernel.spec().parameters.end() ? 1 : degree->second;
  const double monomials = std::exp(std::lgamma(columns + d + 1) - std::lgamma(columns + 1) - std::lgamma(d + 1));
  return monomials <= static_cast<double>(largest_rank(n)) + 0.5;
}

/// Computing a kernel afresh at every pass against computing, storing and reading it.
bool worth_storing(const FittedKernel& kernel, double passes) {
  const double fly = kMapping + kBaseColumn * static_cast<double>(kernel.spec().columns.size());
  return fly + kDenseWriting + passes * kDenseReading < passes * fly;
}

std::vector<Matrix> low_rank_factors(const Samples& training, const std::vector<FittedKernel>& kernels,
                                     const BankOptions& options) {
  const Index n = training.n_rows();
  std::vector<Matrix> factors(kernels.size());
  Task task(options.watch, "looking for kernels of low rank", static_cast<Index>(kernels.size()));
  guarded_parallel(static_cast<Index>(kernels.size()), resolve_threads(options.threads), [&](Index m) {
    const FittedKernel& kernel = kernels[static_cast<std::size_t>(m)];
    if (may_have_low_rank(kernel, n))
      factors[static_cast<std::size_t>(m)] =
          pivoted_cholesky(kernel, training, options.rank_tolerance, largest_rank(n), options.watch);
    task.advance();
  });
  return factors;
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

double default_bank_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key;
  double kilobytes = 0;
  while (meminfo >> key >> kilobytes) {
    if (key == "MemAvailable:") return 512 * kilobytes;
    meminfo.ignore(64, '\n');
  }
  return 0.5 * static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::shared_ptr<const KernelBank> make_bank(std::shared_ptr<const Samples> training,
                                            const std::vector<FittedKernel>& kernels, const BankOptions& options) {
  const Index n = training->n_rows();
  const double gram_bytes = sizeof(double) * static_cast<double>(n) * static_cast<double>(n);
  double room = options.memory > 0 ? options.memory : default_bank_memory();

  std::vector<Matrix> factors = low_rank_factors(*training, kernels, options);
  enum Part : Index { low_rank, dense, single, on_the_fly };
  std::vector<FittedKernel> dense_kernels, single_kernels, fly_kernels;
  std::vector<Matrix> kept_factors;
  std::vector<std::string> kept_names;
  std::vector<CompositeBank::Place> places;
  for (const Matrix& Z : factors) room -= sizeof(double) * static_cast<double>(Z.size());
  double stored_room = 0.5 * room;  // the other half is for the working set of kernels on the fly
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    if (factors[m].size() > 0) {
      places.push_back({low_rank, static_cast<Index>(kept_factors.size())});
      kept_factors.push_back(std::move(factors[m]));
      kept_names.push_back(kernels[m].spec().name);
    } else if (stored_room >= gram_bytes && worth_storing(kernels[m], options.expected_passes)) {
      places.push_back({dense, static_cast<Index>(dense_kernels.size())});
      dense_kernels.push_back(kernels[m]);
      stored_room -= gram_bytes;
    } else if (stored_room >= gram_bytes / 2 && worth_storing(kernels[m], options.expected_passes)) {
      places.push_back({single, static_cast<Index>(single_kernels.size())});
      single_kernels.push_back(kernels[m]);
      stored_room -= gram_bytes / 2;
    } else {
      places.push_back({on_the_fly, static_cast<Index>(fly_kernels.size())});
      fly_kernels.push_back(kernels[m]);
    }
  }
  std::vector<std::shared_ptr<const KernelBank>> parts(4);
  Vector missing(static_cast<Index>(kept_factors.size()));
  for (std::size_t k = 0; k < kept_factors.size(); ++k)
    missing(static_cast<Index>(k)) = missing_trace(kept_factors[k], options.rank_tolerance);
  const double working_room = 0.8 * (0.5 * room + stored_room);
  parts[low_rank] = std::make_shared<LowRankBank>(std::move(kept_factors), std::move(missing), n, std::move(kept_names),
                                                  options.threads, options.watch, working_room);
  // A part without kernels is never asked anything; another stands in its place.
  parts[dense] = dense_kernels.empty()
                     ? parts[low_rank]
                     : make_stored_bank<DenseBank, double>(*training, dense_kernels, options.threads, options.watch);
  parts[single] = single_kernels.empty()
                      ? parts[low_rank]
                      : make_stored_bank<SingleBank, float>(*training, single_kernels, options.threads, options.watch);
  parts[on_the_fly] = std::make_shared<OnTheFlyBank>(training, std::move(fly_kernels), working_room, options.threads,
                                                     options.watch, working_room);
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
