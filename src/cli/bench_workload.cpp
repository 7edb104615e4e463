#include "bench_workload.hpp"

#include <cmath>

#include "core/blas.hpp"
#include "core/stopwatch.hpp"
#include "data/generators.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/kernel/standardizer.hpp"

namespace spicymkl::cli {

namespace {

double measure_unit(const KernelBank& bank, const Vector& rho) {
  double best = HUGE_VAL;
  Vector forms(bank.n_kernels());
  for (int repetition = 0; repetition < 3; ++repetition) {
    Matrix matrix = Matrix::Identity(bank.n_samples(), bank.n_samples());
    const Stopwatch watch;
    bank.quadratic_forms(all_kernels(bank.n_kernels()), rho, forms);
    if (!blas::cholesky(matrix, bank.threads())) return best;
    best = std::min(best, watch.seconds());
  }
  return best;
}

}  // namespace

BenchWorkload make_workload(const WorkloadSize& size) {
  GeneratedData data = generate_data(size.data, size.n_samples, size.seed);
  auto samples = std::make_shared<Samples>();
  samples->columns = data.columns;
  samples->values = std::move(data.values);
  Standardizer::fit(*samples).apply(*samples);
  std::vector<FittedKernel> kernels;
  for (const KernelSpec& spec : random_kernels(*samples, size.n_kernels, size.seed))
    kernels.push_back(FittedKernel::fit(spec, *samples, size.threads));
  BenchWorkload workload;
  workload.bank = size.single ? make_single_bank(*samples, kernels, size.threads)
                              : make_dense_bank(*samples, kernels, size.threads);
  if (size.single) workload.exact = make_exact_bank(samples, kernels, size.threads);
  workload.labels = data.labels;
  workload.unit = measure_unit(*workload.bank, workload.labels);
  return workload;
}

}  // namespace spicymkl::cli
