#include "device_bank.hpp"

#include <algorithm>

#include "core/renew.hpp"
#include "device_mixture.hpp"
#include "device_system.hpp"
#include "packed.hpp"

namespace spicymkl {

namespace {

constexpr double kRoomForSamples = 0.5;   // of what is free, for kernels on some of the samples
constexpr double kMatricesOfMixture = 4;  // the sum, some of its samples, their system and what factors it

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
  const std::vector<const Vector*> diagonals = store_.diagonals(set);
  out.setZero();
  for (Index k = 0; k < std::ssize(set); ++k) out += weights(k) * *diagonals[k];
}

void DeviceBank::quadratic_forms(KernelSet set, ConstMatrixRef V, MatrixRef out) const {
  watch().check();
  const Device& device = *store_.device();
  const PackedIn vectors(V);
  // Positions of those that are computed as the forms are taken, and of the others.
  std::vector<Index> computed, others, computed_kernels, other_kernels;
  for (Index k = 0; k < std::ssize(set); ++k) {
    const bool now = store_.computes_for_forms(set[k]);
    (now ? computed : others).push_back(k);
    (now ? computed_kernels : other_kernels).push_back(set[k]);
  }
  Matrix forms;
  store_.visit(other_kernels, [&](Index first, const spicymkl_device_set& grams) {
    renew(forms, grams.count, V.cols());
    device.check(device.functions().forms(device.handle(), &grams, vectors.data(), V.cols(), forms.data()));
    for (Index k = 0; k < grams.count; ++k) out.row(others[first + k]) = forms.row(k);
    watch().check();
  });
  constexpr Index kAtOnce = 64;  // between two looks at the watch
  for (Index first = 0; first < std::ssize(computed); first += kAtOnce) {
    const Index count = std::min(kAtOnce, std::ssize(computed) - first);
    renew(forms, count, V.cols());
    store_.computed_forms(KernelSet(computed_kernels).subspan(first, count), vectors.data(), V.cols(), forms.data());
    for (Index k = 0; k < count; ++k) out.row(computed[first + k]) = forms.row(k);
    watch().check();
  }
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

double DeviceBank::missing_trace(Index kernel) const {
  if (store_.layout().number_bytes == sizeof(double)) return 0;
  if (!store_.source()) return std::numeric_limits<double>::infinity();  // nobody knows what was rounded
  // K̃ = K + E with |E_ij| ≤ |K_ij|·2⁻²⁵, computed in double precision and rounded: a form changes by at most
  // ‖E‖_F‖v‖², and ‖K‖_F is at most the trace. Twice that leaves room for numbers near the smallest.
  return 0x1p-24 * labels_.traces(kernel);
}

const KernelMixtures* DeviceBank::mixtures() const {
  const double matrix = GramLayout::of(n_samples(), sizeof(double)).bytes();
  return kMatricesOfMixture * matrix <= store_.device()->free_bytes() ? this : nullptr;
}

std::unique_ptr<KernelMixture> DeviceBank::mixture(KernelSet set, ConstVectorRef weights) const {
  return std::make_unique<DeviceMixture>(store_, set, weights, watch());
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
  Index m = 0;
  for (const Vector* diagonal : store.diagonals(all_kernels(store.n_kernels()))) traces(m++) = diagonal->sum();
  return traces;
}

}  // namespace spicymkl
