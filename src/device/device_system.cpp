#include "device_system.hpp"

#include "packed.hpp"

namespace spicymkl {

DeviceSystemHandle::DeviceSystemHandle(std::shared_ptr<const Device> device, Index n) : device_(std::move(device)) {
  device_->check(functions().open_system(device_->handle(), n, &system_));
}

DeviceSystemHandle::DeviceSystemHandle(std::shared_ptr<const Device> device) : device_(std::move(device)) {
  device_->check(functions().open_rank_system(device_->handle(), &system_));
}

DeviceNewtonSystem::DeviceNewtonSystem(const GramStore& store, Watch watch)
    : store_(store), watch_(std::move(watch)), system_(store.device(), store.layout().n) {}

bool DeviceNewtonSystem::factor(const NewtonTerms& terms) {
  watch_.check();
  const Device& device = system_.device();
  const spicymkl_device_functions& functions = system_.functions();
  const PackedIn diagonal{ConstMatrixRef(terms.diagonal)}, weights{ConstMatrixRef(terms.weights)};
  device.check(functions.set_diagonal(system_.get(), diagonal.data()));
  store_.visit(terms.kernels, [&](Index first, const spicymkl_device_set& grams) {
    device.check(functions.add_matrices(system_.get(), &grams, weights.data() + first));
  });
  const PackedIn columns(terms.low_rank);
  const Index n_subtracted = terms.low_rank.cols() - terms.n_added;
  device.check(functions.add_columns(system_.get(), columns.data(), terms.n_added, +1));
  device.check(
      functions.add_columns(system_.get(), columns.data() + terms.n_added * terms.low_rank.rows(), n_subtracted, -1));
  return device.is_definite(functions.factor(system_.get()));
}

void DeviceNewtonSystem::solve(MatrixRef rhs) {
  PackedOut solution(rhs);
  if (solution.data() != rhs.data()) Eigen::Map<Matrix>(solution.data(), rhs.rows(), rhs.cols()) = rhs;
  system_.device().check(system_.functions().solve(system_.get(), solution.data(), rhs.cols()));
  solution.finish();
  watch_.check();
}

}  // namespace spicymkl
