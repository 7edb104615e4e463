#include "device_feature_bank.hpp"

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "core/guarded_parallel.hpp"
#include "device_rank_system.hpp"
#include "kernel_request.hpp"
#include "packed.hpp"

namespace spicymkl {

namespace {

constexpr Index kRowsSent = 1 << 16;  // whose features are computed here at a time
constexpr double kRawBytes = 0x1p31;  // of raw features that are on the device at a time
constexpr Index kTraceRows = 4096;    // whose diagonals are taken together
constexpr double kRoomForPart = 0.5;  // of what is free, for features of some of the samples

}  // namespace

DeviceFactors::DeviceFactors(Index n, const std::vector<Factor>& all, KernelSet set) : n_(n) {
  for (const Index m : set) {
    pointers_.push_back(all[m].memory->numbers<double>());
    widths_.push_back(all[m].width);
    width_ += all[m].width;
  }
}

DeviceFeatureBank::DeviceFeatureBank(std::shared_ptr<const Device> device, std::shared_ptr<const Samples> training,
                                     std::vector<FittedKernel> kernels, int threads, Watch watch)
    : KernelBank({.n_samples = training->n_rows(),
                  .n_kernels = std::ssize(kernels),
                  .threads = threads,
                  .watch = std::move(watch),
                  .one_at_a_time = true,
                  .computed_on = device->name()}),
      device_(std::move(device)),
      training_(std::move(training)),
      kernels_(std::move(kernels)),
      traces_(Vector::Zero(n_kernels())) {
  for_each_kernel(all_kernels(n_kernels()), static_cast<double>(n_samples()), [&](Index m, Matrix&) {
    for (Index row = 0; row < n_samples(); row += kTraceRows)
      traces_(m) +=
          kernels_[m].features().largest_diagonal(*training_, row, std::min(kTraceRows, n_samples() - row)).sum();
  });
  const auto table = send(device_, training_->values);
  WatchedTask task(this->watch(), "computing features on the device", n_kernels());
  for (const FittedKernel& kernel : kernels_) {
    this->watch().check();
    factors_.push_back(compute(kernel, *table));
    task.advance();
  }
}

DeviceFeatureBank::DeviceFeatureBank(const DeviceFeatureBank& whole, const std::vector<Index>& kernels)
    : KernelBank({whole.n_samples(), std::ssize(kernels), whole.threads(), whole.watch(), whole.work_bytes()}),
      device_(whole.device_),
      training_(whole.training_),
      traces_(whole.traces_(kernels)) {
  for (const Index m : kernels) {
    kernels_.push_back(whole.kernels_[m]);
    factors_.push_back(whole.factors_[m]);
  }
}

DeviceFeatureBank::DeviceFeatureBank(const DeviceFeatureBank& whole, std::span<const std::int64_t> rows)
    : KernelBank({.n_samples = std::ssize(rows),
                  .n_kernels = whole.n_kernels(),
                  .threads = whole.threads(),
                  .watch = whole.watch(),
                  .one_at_a_time = true,
                  .computed_on = whole.shape().computed_on}),
      device_(whole.device_),
      kernels_(whole.kernels_),
      traces_(whole.n_kernels()) {
  std::vector<double*> places;
  for (const DeviceFactors::Factor& factor : whole.factors_) {
    const double bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(factor.width);
    factors_.push_back({std::make_shared<const DeviceMemory>(device_, bytes), factor.width});
    places.push_back(factors_.back().memory->numbers<double>());
  }
  const DeviceFactors all = whole.side_by_side(all_kernels(n_kernels()));
  const spicymkl_device_factors of = all.get();
  device_->check(
      device_->functions().gather_rows(device_->handle(), &of, rows.data(), std::ssize(rows), places.data()));
  Vector diagonal(n_samples());
  for (Index m = 0; m < n_kernels(); ++m) {
    watch().check();
    weighted_diagonal(KernelSet(&m, 1), Vector::Ones(1), diagonal);
    traces_(m) = diagonal.sum();
  }
}

double DeviceFeatureBank::bytes_for(const std::vector<FittedKernel>& kernels, Index n_samples) {
  double numbers = 0;
  for (const FittedKernel& kernel : kernels)
    numbers += static_cast<double>(n_samples) * static_cast<double>(kernel.features().width());
  return sizeof(double) * numbers;
}

DeviceFactors::Factor DeviceFeatureBank::compute(const FittedKernel& kernel, const DeviceMemory& table) const {
  const Index width = kernel.features().width();
  const double bytes = sizeof(double) * static_cast<double>(n_samples()) * static_cast<double>(width);
  auto memory = std::make_shared<const DeviceMemory>(device_, bytes);
  if (devices_compute_features(kernel)) fill_by_landmarks(kernel, table, memory->numbers<double>());
  else fill_from_here(kernel, memory->numbers<double>());
  return {std::move(memory), width};
}

void DeviceFeatureBank::fill_by_landmarks(const FittedKernel& kernel, const DeviceMemory& table, double* Z) const {
  const FeatureMap& map = kernel.features();
  const Index n = n_samples(), n_raw = map.n_raw(), width = map.width();
  const auto landmarks = send(device_, map.constants().points);
  const auto whitening = send(device_, map.to_raw(Matrix::Identity(width, width)));
  const auto most = static_cast<Index>(kRawBytes / (sizeof(double) * static_cast<double>(n_raw)));
  const Index rows = std::clamp<Index>(most, 1, n);
  const DeviceMemory raw(device_, sizeof(double) * static_cast<double>(rows) * static_cast<double>(n_raw));
  const spicymkl_device_table columns{landmarks->numbers<double>(), n_raw, n_raw};
  for (Index first = 0; first < n; first += rows) {
    const Index count = std::min(rows, n - first);
    const spicymkl_device_table some{table.numbers<double>() + first, count, n};
    const KernelRequest request(kernel, *training_, first, count, raw.numbers<double>());
    const spicymkl_device_kernel ready = request.get();
    device_->check(
        device_->functions().compute(device_->handle(), &some, &columns, &ready, 1, count, sizeof(double), 0));
    device_->check(device_->functions().multiply(device_->handle(), count, n_raw, width, raw.numbers<double>(), count,
                                                 whitening->numbers<double>(), Z + first, n));
  }
}

void DeviceFeatureBank::fill_from_here(const FittedKernel& kernel, double* Z) const {
  const Index n = n_samples(), width = kernel.features().width();
  Matrix features(n, width);
  guarded_parallel((n + kRowsSent - 1) / kRowsSent, threads(), [&](Index block) {
    const Index first = block * kRowsSent, count = std::min(kRowsSent, n - first);
    features.middleRows(first, count) = kernel.features().features(*training_, first, count);
  });
  device_->check(device_->functions().upload(device_->handle(), Z, features.data(),
                                             static_cast<std::int64_t>(sizeof(double)) * features.size()));
}

Matrix DeviceFeatureBank::feature_sums(const DeviceFactors& factors, ConstMatrixRef V) const {
  watch().check();
  const PackedIn vectors(V);
  Matrix sums(factors.width(), V.cols());
  const spicymkl_device_factors of = factors.get();
  device_->check(device_->functions().factor_sums(device_->handle(), &of, vectors.data(), V.cols(), sums.data()));
  watch().check();
  return sums;
}

void DeviceFeatureBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  if (set.empty()) return;
  const DeviceFactors factors = side_by_side(set);
  const Matrix weights = feature_sums(factors, V);
  touch(out.leftCols(std::ssize(set) * V.cols()), threads());
  PackedOut images(out.leftCols(std::ssize(set) * V.cols()));
  const spicymkl_device_factors of = factors.get();
  device_->check(
      device_->functions().factor_products(device_->handle(), &of, weights.data(), V.cols(), 0, images.data()));
  images.finish();
  watch().check();
}

void DeviceFeatureBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  out.setZero();
  if (set.empty()) return;
  const DeviceFactors factors = side_by_side(set);
  Vector of_columns(factors.width());
  Index place = 0;
  for (Index k = 0; k < std::ssize(set); ++k) {
    of_columns.segment(place, factors.width(k)).setConstant(weights(k));
    place += factors.width(k);
  }
  const spicymkl_device_factors of = factors.get();
  device_->check(device_->functions().factor_diagonal(device_->handle(), &of, of_columns.data(), out.data()));
}

void DeviceFeatureBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  if (set.empty()) return;
  const DeviceFactors factors = side_by_side(set);
  const Matrix of_all = feature_sums(factors, V);
  Index place = 0;
  for (Index k = 0; k < std::ssize(set); ++k) {
    out.row(k) = of_all.middleRows(place, factors.width(k)).colwise().squaredNorm();
    place += factors.width(k);
  }
}

void DeviceFeatureBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  out.setZero();
  if (set.empty()) return;
  const DeviceFactors factors = side_by_side(set);
  Matrix W = feature_sums(factors, V);
  Index place = 0;
  for (Index k = 0; k < std::ssize(set); ++k) {
    W.middleRows(place, factors.width(k)) *= weights(k);
    place += factors.width(k);
  }
  PackedOut sum(out);
  const spicymkl_device_factors of = factors.get();
  device_->check(device_->functions().factor_products(device_->handle(), &of, W.data(), V.cols(), 1, sum.data()));
  sum.finish();
  watch().check();
}

std::unique_ptr<NewtonSystem> DeviceFeatureBank::make_newton_system() const {
  return std::make_unique<DeviceRankSystem>(*this, KernelBank::make_newton_system());
}

KernelSubsets DeviceFeatureBank::subsets() const {
  return {n_kernels(),
          [this](const std::vector<Index>& kernels) -> std::shared_ptr<const KernelBank> {
            return std::shared_ptr<const KernelBank>(new DeviceFeatureBank(*this, kernels));
          },
          false};
}

std::shared_ptr<const KernelBank> DeviceFeatureBank::on_samples(const std::vector<Index>& rows) const {
  if (bytes_for(kernels_, std::ssize(rows)) > kRoomForPart * device_->free_bytes()) return nullptr;
  const std::vector<std::int64_t> places(rows.begin(), rows.end());
  return std::shared_ptr<const KernelBank>(new DeviceFeatureBank(*this, std::span<const std::int64_t>(places)));
}

std::vector<BankUse> DeviceFeatureBank::use() const {
  return {{"features on the device", n_kernels(), bytes_for(kernels_, n_samples())}};
}

void DeviceFeatureBank::weighted_factor(KernelSet set, ConstVectorRef weights, MatrixRef columns) const {
  Index place = 0;
  for (Index k = 0; k < std::ssize(set); ++k) {
    const DeviceFactors::Factor& factor = factors_[set[k]];
    auto part = columns.middleCols(place, factor.width);
    PackedOut features(part);
    device_->check(device_->functions().download(device_->handle(), features.data(), factor.memory->numbers<double>(),
                                                 static_cast<std::int64_t>(sizeof(double)) * part.size()));
    features.finish();
    part *= std::sqrt(weights(k));
    place += factor.width;
  }
}

void DeviceFeatureBank::add_sum(KernelSet set, ConstVectorRef weights, MatrixRef A) const {
  for (Index k = 0; k < std::ssize(set); ++k) {
    watch().check();
    Matrix columns(n_samples(), factor_width(set[k]));
    weighted_factor(set.subspan(k, 1), weights.segment(k, 1), columns);
    blas::symmetric_rank_k(1, columns, A, threads());
  }
}

}  // namespace spicymkl
