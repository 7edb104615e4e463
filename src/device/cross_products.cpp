#include "cross_products.hpp"

#include "kernel_request.hpp"
#include "packed.hpp"

namespace spicymkl {

namespace {

RowTerms copy_of(const RowTermsRef& terms) { return {terms.values, terms.present}; }

}  // namespace

CrossProducts::CrossProducts(std::shared_ptr<const Device> device, const Samples& fresh, const Samples& training)
    : device_(std::move(device)),
      n_fresh_(fresh.n_rows()),
      n_training_(training.n_rows()),
      fresh_(send(device_, fresh.values)),
      training_(n_training_ > 0 ? send(device_, training.values) : nullptr) {}

bool CrossProducts::knows(const FittedKernel& kernel) { return devices_compute(kernel); }

bool CrossProducts::knows_features(const FittedKernel& kernel) {
  return kernel.has_features() && devices_compute_features(kernel);
}

spicymkl_device_table CrossProducts::rows(Index first, Index count) const {
  return {fresh_->numbers<double>() + first, count, n_fresh_};
}

std::vector<Matrix> CrossProducts::products(const std::vector<Member>& members, ConstMatrixRef W, Index first,
                                            Index count) const {
  if (members.empty()) return {};
  std::vector<KernelRequest> requests;
  for (const Member& member : members)
    requests.emplace_back(*member.kernel, copy_of(member.fresh->part(first, count)), *member.training);
  std::vector<spicymkl_device_kernel> ready;
  for (const KernelRequest& request : requests) ready.push_back(request.get());
  const spicymkl_device_table some = rows(first, count),
                              columns{training_->numbers<double>(), n_training_, n_training_};
  const PackedIn vectors(W);
  Matrix all(count, W.cols() * std::ssize(members));
  device_->check(device_->functions().computed_products(device_->handle(), &some, &columns, ready.data(),
                                                        std::ssize(ready), vectors.data(), W.cols(), all.data()));
  std::vector<Matrix> products;
  for (Index k = 0; k < std::ssize(members); ++k) products.emplace_back(all.middleCols(k * W.cols(), W.cols()));
  return products;
}

Matrix CrossProducts::features(const FittedKernel& kernel, const Samples& fresh, ConstMatrixRef W, Index first,
                               Index count) const {
  const Matrix& points = kernel.features().constants().points;
  const auto landmarks = send(device_, points);
  const spicymkl_device_table some = rows(first, count),
                              columns{landmarks->numbers<double>(), points.rows(), points.rows()};
  const KernelRequest request(kernel, fresh, first, count, nullptr);
  const spicymkl_device_kernel ready = request.get();
  const PackedIn weights(W);
  Matrix product(count, W.cols());
  device_->check(device_->functions().computed_products(device_->handle(), &some, &columns, &ready, 1, weights.data(),
                                                        W.cols(), product.data()));
  return product;
}

Matrix row_products(const std::shared_ptr<const Device>& device, const double* rows, Index count, ConstMatrixRef W) {
  // To the device, which reads columns, these rows are Kᵀ: (KW)ᵀ = WᵀKᵀ.
  Matrix transposed(W.cols(), count);
  if (count == 0) return transposed.transpose();
  const std::shared_ptr<const DeviceMemory> weights = send(device, W.transpose());
  const double bytes = sizeof(double) * static_cast<double>(transposed.size());
  const DeviceMemory result(device, bytes);
  device->check(device->functions().multiply(device->handle(), W.cols(), W.rows(), count, weights->numbers<double>(),
                                             W.cols(), rows, result.numbers<double>(), W.cols()));
  device->check(device->functions().download(device->handle(), transposed.data(), result.numbers<double>(),
                                             static_cast<std::int64_t>(bytes)));
  return transposed.transpose();
}

}  // namespace spicymkl
