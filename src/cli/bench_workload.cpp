#include "bench_workload.hpp"

#include <cmath>

#include "core/blas.hpp"
#include "core/stopwatch.hpp"
#include "data/generators.hpp"
#include "device/make_device_bank.hpp"
#include "spicymkl/bank/make_bank.hpp"
#include "spicymkl/kernel/presets.hpp"
#include "spicymkl/kernel/standardizer.hpp"
#include "spicymkl/pipeline/training_table.hpp"

namespace spicymkl::cli {

namespace {

/// A pass, and the pass with a factorisation by whoever has the kernels: the best of three of each.
void measure_unit(const Vector& rho, const WorkloadSize& size, BenchWorkload& workload) {
  const KernelBank& bank = *workload.bank;
  const Index n = bank.n_samples();
  const bool dense = size.rank == 0;  // kernels by features have no matrices of the size of the samples
  const auto system = size.device && dense ? bank.make_newton_system() : nullptr;
  Vector forms(bank.n_kernels());
  workload.unit = workload.pass = HUGE_VAL;
  for (int repetition = 0; repetition < 3; ++repetition) {
    Matrix matrix = dense && !system ? Matrix::Identity(n, n) : Matrix();
    const Stopwatch watch;
    bank.quadratic_forms(all_kernels(bank.n_kernels()), rho, forms);
    workload.pass = std::min(workload.pass, watch.seconds());
    const bool factored = system ? system->factor({{}, Vector(0), Vector::Ones(n), Matrix(n, 0), 0})
                                 : blas::cholesky(matrix, bank.threads());
    if (!factored) return;
    workload.unit = std::min(workload.unit, watch.seconds());
  }
}

std::vector<FittedKernel> kernels_on(const Samples& samples, const WorkloadSize& size) {
  std::vector<KernelSpec> specs = random_kernels(samples, size.n_kernels, size.seed);
  if (size.rank > 0)
    for (KernelSpec& spec : specs) spec.features = {.kind = FeatureKind::nystrom, .rank = size.rank, .seed = size.seed};
  return fit_kernels(std::move(specs), samples, size.data, size.threads);
}

BankOptions bank_options(const WorkloadSize& size) {
  BankOptions options;
  options.threads = size.threads;
  if (size.device) options.maker = banks_on(size.device);
  return options;
}

std::shared_ptr<const KernelBank> make_workload_bank(const std::shared_ptr<const Samples>& samples,
                                                     const std::vector<FittedKernel>& kernels,
                                                     const WorkloadSize& size) {
  if (size.rank > 0) return make_bank(samples, kernels, bank_options(size));
  if (size.device) return make_device_bank(size.device, samples, kernels, size.single ? 4 : 8, bank_options(size));
  return size.single ? make_single_bank(*samples, kernels, size.threads)
                     : make_dense_bank(*samples, kernels, size.threads);
}

}  // namespace

BenchWorkload make_workload(const WorkloadSize& size) {
  GeneratedData data = generate_data(size.data, size.n_samples, size.seed);
  auto samples = std::make_shared<Samples>();
  samples->columns = data.columns;
  samples->values = std::move(data.values);
  Standardizer::fit(*samples).apply(*samples);
  BenchWorkload workload;
  const Stopwatch watch;
  const std::vector<FittedKernel> kernels = kernels_on(*samples, size);
  workload.bank = make_workload_bank(samples, kernels, size);
  workload.seconds = watch.seconds();
  if (size.single)
    workload.exact = make_exact_bank(samples, kernels, bank_options(size), std::numeric_limits<double>::infinity());
  workload.labels = data.labels;
  measure_unit(workload.labels, size, workload);
  return workload;
}

}  // namespace spicymkl::cli
