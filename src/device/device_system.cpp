#include "device_system.hpp"

#include "packed.hpp"

namespace spicymkl {

DeviceSystemHandle::DeviceSystemHandle(std::shared_ptr<const Device> device, Index n) : device_(std::move(device)) {
  device_->check(functions().open_system(device_->handle(), n, &system_));
}

DeviceSystemHandle::DeviceSystemHandle(std::shared_ptr<const Device> device) : device_(std::move(device)) {
  device_->check(functions().open_rank_system(device_->handle(), &system_));
}

void DeviceSystemHandle::set_diagonal(const NewtonTerms& terms) {
  const PackedIn diagonal{ConstMatrixRef(terms.diagonal)};
  device_->check(functions().set_diagonal(system_, diagonal.data()));
}

void DeviceSystemHandle::add_low_rank(const NewtonTerms& terms) {
  const PackedIn columns(terms.low_rank);
  const Index n_subtracted = terms.low_rank.cols() - terms.n_added;
  device_->check(functions().add_columns(system_, columns.data(), terms.n_added, +1));
  device_->check(
      functions().add_columns(system_, columns.data() + terms.n_added * terms.low_rank.rows(), n_subtracted, -1));
}

bool DeviceSystemHandle::factor() { return device_->is_definite(functions().factor(system_)); }

void DeviceSystemHandle::solve(MatrixRef rhs) {
  PackedOut solution(rhs);
  if (solution.data() != rhs.data()) Eigen::Map<Matrix>(solution.data(), rhs.rows(), rhs.cols()) = rhs;
  device_->check(functions().solve(system_, solution.data(), rhs.cols()));
  solution.finish();
}

DeviceNewtonSystem::DeviceNewtonSystem(const GramStore& store, Watch watch)
    : store_(store), watch_(std::move(watch)), system_(store.device(), store.layout().n) {}

bool DeviceNewtonSystem::factor(const NewtonTerms& terms) {
  watch_.check();
  const PackedIn weights{ConstMatrixRef(terms.weights)};
  system_.set_diagonal(terms);
  store_.visit(terms.kernels, [&](Index first, const spicymkl_device_set& grams) {
    system_.device().check(system_.functions().add_matrices(system_.get(), &grams, weights.data() + first));
  });
  system_.add_low_rank(terms);
  return system_.factor();
}

void DeviceNewtonSystem::solve(MatrixRef rhs) {
  system_.solve(rhs);
  watch_.check();
}

}  // namespace spicymkl
