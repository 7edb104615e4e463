// Banks on a device, from a table and a list of kernels.
#include <algorithm>

#include "bank/composite_bank.hpp"
#include "bank/feature_bank.hpp"
#include "device_bank.hpp"
#include "device_feature_bank.hpp"
#include "make_device_bank.hpp"

namespace spicymkl {

namespace {

// What a device keeps free beside kernels: the matrix of a Newton system and its workspace, kernels on a quarter of the
// samples, which are a sixteenth, and a little.
constexpr double kNewtonMatrices = 1.5;
constexpr double kShareForKernels = 0.92;
constexpr double kLittle = 0x1p29;
constexpr double kNoMemory = 1;  // bytes: no kernel is kept
constexpr double kMoment = 1;    // seconds that a proof on the processor may take

/// Bytes of kernels that a device has room for, of what it has free; `asked` by the user, 0: all.
double room_for_kernels(const Device& device, Index n_samples, double asked) {
  const double matrix = sizeof(double) * static_cast<double>(n_samples) * static_cast<double>(n_samples);
  const double room = kShareForKernels * device.free_bytes() - kNewtonMatrices * matrix - kLittle;
  return std::max(0.0, asked > 0 ? std::min(asked, room) : room);
}

/// To compute every kernel once on the processor.
double seconds_on_processor(const Samples& training, const std::vector<FittedKernel>& kernels, int threads) {
  constexpr double kEntry = 5e-9, kTerm = 5e-10;  // of a kernel, and what every column of the table adds
  const auto n = static_cast<double>(training.n_rows());
  double seconds = 0;
  for (const FittedKernel& kernel : kernels) {
    const double entries = kernel.has_features() ? n * static_cast<double>(kernel.features().width()) : n * n / 2;
    seconds += entries * (kEntry + kTerm * static_cast<double>(kernel.spec().columns.size()));
  }
  return seconds / resolve_threads(threads);
}

class DeviceMaker final : public BankMaker {
 public:
  explicit DeviceMaker(std::shared_ptr<const Device> device) : device_(std::move(device)) {}

  std::shared_ptr<const KernelBank> make(std::shared_ptr<const Samples> training,
                                         const std::vector<FittedKernel>& kernels, const BankPlan&,
                                         const BankOptions& options) const override {
    return make_of_forms(std::move(training), kernels, options, false);
  }

  std::shared_ptr<const KernelBank> make_exact(std::shared_ptr<const Samples> training,
                                               const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                               double) const override {
    BankOptions alone = options;
    alone.memory = kNoMemory;  // it stands beside kernels that have taken it
    return make_of_forms(std::move(training), kernels, alone, true);
  }

  /// On the processor, where that is a matter of a moment.
  std::shared_ptr<const KernelBank> make_proof(std::shared_ptr<const Samples> training,
                                               const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                               const KernelBank& bank) const override {
    if (seconds_on_processor(*training, kernels, options.threads) > kMoment)
      return BankMaker::make_proof(std::move(training), kernels, options, bank);
    return make_exact_bank(std::move(training), kernels, options.threads, options.watch,
                           std::numeric_limits<double>::infinity());
  }

  int n_processes() const override { return 1; }
  double default_memory() const override { return kShareForKernels * device_->free_bytes(); }

 private:
  std::shared_ptr<const KernelBank> make_of_forms(std::shared_ptr<const Samples> training,
                                                  const std::vector<FittedKernel>& kernels, const BankOptions& options,
                                                  bool exact) const;
  std::shared_ptr<const KernelBank> make_features(std::shared_ptr<const Samples> training,
                                                  std::vector<FittedKernel> kernels, const BankOptions& options) const;

  std::shared_ptr<const Device> device_;
};

/// Double precision, unless all kernels fit in single precision alone and need not be exact.
int bytes_of_numbers(Index n_samples, Index n_kernels, double room, bool exact) {
  const auto bytes = [&](int each) { return GramLayout::of(n_samples, each).bytes() * static_cast<double>(n_kernels); };
  return !exact && bytes(sizeof(double)) > room && bytes(sizeof(float)) <= room ? sizeof(float) : sizeof(double);
}

/// On the device where all fit, else on the processor.
std::shared_ptr<const KernelBank> DeviceMaker::make_features(std::shared_ptr<const Samples> training,
                                                             std::vector<FittedKernel> kernels,
                                                             const BankOptions& options) const {
  const double room = kShareForKernels * device_->free_bytes() - kLittle;
  if (DeviceFeatureBank::bytes_for(kernels, training->n_rows()) <= room)
    return std::make_shared<DeviceFeatureBank>(device_, std::move(training), std::move(kernels), options.threads,
                                               options.watch);
  return std::make_shared<FeatureBank>(std::move(training), std::move(kernels), options.threads, options.watch);
}

std::shared_ptr<const KernelBank> DeviceMaker::make_of_forms(std::shared_ptr<const Samples> training,
                                                             const std::vector<FittedKernel>& kernels,
                                                             const BankOptions& options, bool exact) const {
  const auto make_matrices = [&](std::vector<FittedKernel> of) {
    const double room = room_for_kernels(*device_, training->n_rows(), options.memory);
    const int number_bytes = bytes_of_numbers(training->n_rows(), std::ssize(of), room, exact);
    return make_device_bank(device_, training, std::move(of), number_bytes, options);
  };
  std::vector<FittedKernel> matrices, features;
  std::vector<CompositeBank::Place> places;
  for (const FittedKernel& kernel : kernels) {
    std::vector<FittedKernel>& form = kernel.has_features() ? features : matrices;
    places.push_back({kernel.has_features() ? 1 : 0, std::ssize(form)});
    form.push_back(kernel);
  }
  if (features.empty()) return make_matrices(std::move(matrices));
  if (matrices.empty()) return make_features(std::move(training), std::move(features), options);
  std::vector<std::shared_ptr<const KernelBank>> parts = {nullptr,
                                                          make_features(training, std::move(features), options)};
  parts[0] = make_matrices(std::move(matrices));
  return std::make_shared<CompositeBank>(std::move(parts), std::move(places), std::numeric_limits<double>::infinity());
}

}  // namespace

std::shared_ptr<const KernelBank> make_device_bank(const std::shared_ptr<const Device>& device,
                                                   std::shared_ptr<const Samples> training,
                                                   std::vector<FittedKernel> kernels, int number_bytes,
                                                   const BankOptions& options) {
  const double room = room_for_kernels(*device, training->n_rows(), options.memory);
  const auto source =
      std::make_shared<const GramSource>(device, std::move(training), std::move(kernels), options.threads);
  GramStore store = make_gram_store(device, source, number_bytes, room, options.watch);
  return std::make_shared<DeviceBank>(std::move(store), labels_of(*source), options.threads, options.watch);
}

std::shared_ptr<const BankMaker> banks_on(std::shared_ptr<const Device> device) {
  return std::make_shared<DeviceMaker>(std::move(device));
}

std::shared_ptr<const KernelBank> copy_to(const std::shared_ptr<const Device>& device, const DenseBank& bank) {
  const GramLayout layout = GramLayout::of(bank.n_samples(), sizeof(double));
  const auto memory =
      std::make_shared<const DeviceMemory>(device, layout.bytes() * static_cast<double>(bank.n_kernels()));
  std::vector<DeviceGram> grams;
  DeviceBank::Labels labels{{}, Vector(bank.n_kernels())};
  Matrix padded = Matrix::Zero(layout.stride, layout.n);
  for (Index m = 0; m < bank.n_kernels(); ++m) {
    bank.watch().check();
    padded.topRows(layout.n) = bank.gram(m);
    double* values = memory->numbers<double>() + m * layout.stride * layout.n;
    device->check(
        device->functions().upload(device->handle(), values, padded.data(), static_cast<std::int64_t>(layout.bytes())));
    grams.push_back({memory, values});
    labels.names.push_back(bank.name(m));
    labels.traces(m) = bank.trace(m);
  }
  return std::make_shared<DeviceBank>(GramStore(device, layout, std::move(grams), nullptr, 0), std::move(labels),
                                      bank.threads(), bank.watch());
}

std::shared_ptr<const KernelBank> bank_over(const std::shared_ptr<const Device>& device, GramsOnDevice grams,
                                            int threads, Watch watch) {
  const GramLayout layout{grams.n, grams.n, grams.number_bytes};
  std::vector<DeviceGram> held;
  for (const void* matrix : grams.matrices) held.push_back({grams.owner, matrix});
  GramStore store(device, layout, std::move(held), nullptr, 0);
  Vector traces = traces_of(store);
  return std::make_shared<DeviceBank>(std::move(store), DeviceBank::Labels{std::move(grams.names), std::move(traces)},
                                      threads, std::move(watch));
}

std::vector<GramFindings> examine(const Device& device, const GramsOnDevice& grams) {
  const spicymkl_device_set set{grams.matrices.data(), std::ssize(grams.matrices), grams.n, grams.n,
                                grams.number_bytes};
  Matrix found(4, set.count);
  device.check(device.functions().examine(device.handle(), &set, found.data()));
  std::vector<GramFindings> findings;
  for (Index m = 0; m < found.cols(); ++m) findings.push_back({found(0, m), found(1, m), found(2, m), found(3, m)});
  return findings;
}

}  // namespace spicymkl
