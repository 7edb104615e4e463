#include "device_mixture.hpp"

#include "packed.hpp"

namespace spicymkl {

namespace {

constexpr double kOnce = 1;

/// One matrix as a set; `matrix` must stay where it is.
spicymkl_device_set alone(const void* const& matrix, const GramLayout& layout) {
  return {&matrix, 1, layout.n, layout.stride, layout.number_bytes};
}

}  // namespace

DeviceMixture::DeviceMixture(const GramStore& store, KernelSet set, ConstVectorRef weights, Watch watch)
    : device_(store.device()),
      watch_(std::move(watch)),
      layout_(GramLayout::of(store.layout().n, sizeof(double))),
      sum_(device_, layout_.bytes()) {
  const PackedIn factors{ConstMatrixRef(weights)};
  store.visit(set, [&](Index first, const spicymkl_device_set& grams) {
    device_->check(device_->functions().weighted_sum(device_->handle(), &grams, factors.data() + first, first > 0,
                                                     layout_.stride, sum_.numbers<double>()));
    watch_.check();
  });
}

void DeviceMixture::product(ConstMatrixRef V, MatrixRef out) const {
  watch_.check();
  const void* matrix = sum_.numbers<void>();
  const spicymkl_device_set set = alone(matrix, layout_);
  const PackedIn vectors(V);
  PackedOut images(out);
  device_->check(
      device_->functions().weighted_product(device_->handle(), &set, &kOnce, vectors.data(), V.cols(), images.data()));
  images.finish();
}

bool DeviceMixture::factor(const std::vector<Index>& samples, ConstVectorRef diagonal) {
  watch_.check();
  const GramLayout layout = GramLayout::of(std::ssize(samples), sizeof(double));
  const std::vector<std::int64_t> places(samples.begin(), samples.end());
  const DeviceMemory block(device_, layout.bytes());
  const void* whole = sum_.numbers<void>();
  const void* part = block.numbers<void>();
  void* target = block.numbers<void>();
  const spicymkl_device_set from = alone(whole, layout_), to = alone(part, layout);
  const PackedIn added{ConstMatrixRef(diagonal)};
  system_.reset();
  system_.emplace(device_, layout.n);
  const spicymkl_device_functions& functions = device_->functions();
  device_->check(functions.gather(device_->handle(), &from, places.data(), std::ssize(places), layout.stride, &target));
  device_->check(functions.set_diagonal(system_->get(), added.data()));
  device_->check(functions.add_matrices(system_->get(), &to, &kOnce));
  return system_->factor();
}

}  // namespace spicymkl
