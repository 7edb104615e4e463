#include "device_bank.hpp"

#include <algorithm>

#include "device_system.hpp"
#include "packed.hpp"

namespace spicymkl {

namespace {

constexpr double kRoomForSamples = 0.5;  // of what is free, for kernels on some of the samples

}  // namespace

DeviceBank::DeviceBank(GramStore store, Labels labels, int threads, Watch watch)
    : KernelBank({.n_samples = store.layout().n,
                  .n_kernels = store.n_kernels(),
                  .threads = threads,
                  .watch = std::move(watch),
                  .one_at_a_time = true,
                  .computed_on = store.device()->name()}),
      store_(std::move(store)),
      labels_(std::move(labels)) {}

void DeviceBank::products(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  watch().check();
  const Device& device = *store_.device();
  const Index width = V.cols();
  const PackedIn vectors(V);
  PackedOut images(out.leftCols(std::ssize(set) * width));
  store_.visit(set, [&](Index first, const spicymkl_device_set& grams) {
    device.check(device.functions().products(device.handle(), &grams, vectors.data(), width,
                                             images.data() + first * width * n_samples()));
    watch().check();
  });
  images.finish();
}

void DeviceBank::weighted_diagonal(KernelSet set, ConstVectorRef weights, VectorRef out) const {
  constexpr Index kAtOnce = 256;
  out.setZero();
  Matrix diagonals(n_samples(), std::min(kAtOnce, std::ssize(set)));
  for (Index begin = 0; begin < std::ssize(set); begin += kAtOnce) {
    const Index count = std::min(kAtOnce, std::ssize(set) - begin);
    store_.visit(set.subspan(begin, count), [&](Index first, const spicymkl_device_set& grams) {
      store_.device()->check(
          store_.device()->functions().diagonals(store_.device()->handle(), &grams, diagonals.col(first).data()));
    });
    out += diagonals.leftCols(count) * weights.segment(begin, count);
  }
}

void DeviceBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  watch().check();
  const Device& device = *store_.device();
  const PackedIn vectors(V);
  Matrix forms;
  store_.visit(set, [&](Index first, const spicymkl_device_set& grams) {
    forms.resize(grams.count, V.cols());
    device.check(device.functions().forms(device.handle(), &grams, vectors.data(), V.cols(), forms.data()));
    out.middleRows(first, grams.count) = forms;
    watch().check();
  });
}

void DeviceBank::weighted_product(KernelSet set, ConstVectorRef weights, ConstMatrixRef V, MatrixRef out) const {
  watch().check();
  const Device& device = *store_.device();
  const PackedIn vectors(V);
  const PackedIn factors{ConstMatrixRef(weights)};
  Matrix part(V.rows(), V.cols());
  out.setZero();
  store_.visit(set, [&](Index first, const spicymkl_device_set& grams) {
    device.check(device.functions().weighted_product(device.handle(), &grams, factors.data() + first, vectors.data(),
                                                     V.cols(), part.data()));
    out += part;
    watch().check();
  });
}

std::unique_ptr<NewtonSystem> DeviceBank::make_newton_system() const {
  return std::make_unique<DeviceNewtonSystem>(store_, watch());
}

KernelSubsets DeviceBank::subsets() const {
  const double matrices =
      store_.keeps_all() ? static_cast<double>(n_kernels()) : store_.room() / store_.layout().bytes();
  const auto quick_size = static_cast<Index>(std::min(matrices, static_cast<double>(n_kernels())));
  return {quick_size,
          [this, quick_size, known = std::map<Index, DeviceGram>()](
              std::vector<Index> kernels) mutable -> std::shared_ptr<const KernelBank> {
            if (kernels.empty() || std::ssize(kernels) > quick_size) {
              known.clear();
              return KernelBank::subsets().of(std::move(kernels));
            }
            Labels labels{{}, labels_.traces(kernels)};
            for (const Index m : kernels) labels.names.push_back(labels_.names[m]);
            return std::make_shared<DeviceBank>(store_.subset(kernels, known), std::move(labels), threads(), watch());
          },
          false};
}

std::shared_ptr<const KernelBank> DeviceBank::on_samples(const std::vector<Index>& rows) const {
  const GramLayout layout = GramLayout::of(std::ssize(rows), store_.layout().number_bytes);
  const double needed = layout.bytes() * static_cast<double>(store_.n_kept());
  if (needed > kRoomForSamples * store_.device()->free_bytes()) return nullptr;
  GramStore store = store_.on_samples(rows);
  Labels labels{labels_.names, store.source() ? labels_of(*store.source()).traces : traces_of(store)};
  return std::make_shared<DeviceBank>(std::move(store), std::move(labels), threads(), watch());
}

double DeviceBank::missing_trace(Index) const {
  return store_.layout().number_bytes == sizeof(double) ? 0 : std::numeric_limits<double>::infinity();
}

std::vector<BankUse> DeviceBank::use() const {
  const Index kept = store_.n_kept(), others = n_kernels() - kept;
  const char* kind = missing_trace(0) == 0 ? "on the device" : "on the device in single precision";
  std::vector<BankUse> use;
  if (kept > 0) use.push_back({kind, kept, store_.layout().bytes() * static_cast<double>(kept)});
  if (others > 0) use.push_back({"on the fly on the device", others, 0});
  return use;
}

DeviceBank::Labels labels_of(const GramSource& source) {
  DeviceBank::Labels labels{{}, Vector(std::ssize(source.kernels))};
  for (Index m = 0; m < labels.traces.size(); ++m) {
    labels.names.push_back(source.kernels[m].spec().name);
    labels.traces(m) = source.kernels[m].training_diagonal(*source.training).sum();
  }
  return labels;
}

Vector traces_of(const GramStore& store) {
  Vector traces(store.n_kernels());
  store.visit(all_kernels(store.n_kernels()), [&](Index first, const spicymkl_device_set& grams) {
    constexpr Index kAtOnce = 256;
    for (Index k = 0; k < grams.count; k += kAtOnce) {
      spicymkl_device_set some = grams;
      some.matrices += k;
      some.count = std::min(kAtOnce, grams.count - k);
      Matrix diagonals(grams.n, some.count);
      store.device()->check(store.device()->functions().diagonals(store.device()->handle(), &some, diagonals.data()));
      traces.segment(first + k, some.count) = diagonals.colwise().sum().transpose();
    }
  });
  return traces;
}

}  // namespace spicymkl
