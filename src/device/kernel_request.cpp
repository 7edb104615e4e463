#include "kernel_request.hpp"

#include <algorithm>
#include <numeric>

namespace spicymkl {

namespace {

int base_number(Base base) {
  switch (base) {
    case Base::squared_distance:
      return SPICYMKL_BASE_SQUARED_DISTANCE;
    case Base::l1_distance:
      return SPICYMKL_BASE_L1_DISTANCE;
    case Base::inner_product:
      return SPICYMKL_BASE_INNER_PRODUCT;
    case Base::cosine:
      return SPICYMKL_BASE_COSINE;
    case Base::chi_squared_distance:
      return SPICYMKL_BASE_CHI_SQUARED_DISTANCE;
    case Base::intersection:
      return SPICYMKL_BASE_INTERSECTION;
    case Base::matches:
      break;
  }
  return SPICYMKL_BASE_MATCHES;
}

int map_number(MapFormula::Kind kind) {
  switch (kind) {
    case MapFormula::Kind::base:
      return SPICYMKL_MAP_BASE;
    case MapFormula::Kind::exponential:
      return SPICYMKL_MAP_EXPONENTIAL;
    case MapFormula::Kind::polynomial:
      return SPICYMKL_MAP_POLYNOMIAL;
    case MapFormula::Kind::matern:
      return SPICYMKL_MAP_MATERN;
    case MapFormula::Kind::rational_quadratic:
      break;
  }
  return SPICYMKL_MAP_RATIONAL_QUADRATIC;
}

void set_normalization(const Normalization& normalization, spicymkl_device_kernel& kernel) {
  kernel.normalization = SPICYMKL_NORMALIZE_SCALE;
  kernel.scale = 1;
  if (normalization.kind == Normalize::trace) kernel.scale = 1 / normalization.trace;
  if (normalization.kind == Normalize::diagonal) kernel.normalization = SPICYMKL_NORMALIZE_PRODUCT;
  if (normalization.kind == Normalize::center) {
    kernel.normalization = SPICYMKL_NORMALIZE_SUM;
    kernel.shift = normalization.grand_mean;
  }
}

const double* or_null(const Vector& values) { return values.size() == 0 ? nullptr : values.data(); }

/// Computed by the processor, and sent column by column apart.
void send_gram(const Device& device, const FittedKernel& kernel, const Samples& training, void* out, Index stride,
               int number_bytes, int threads) {
  const Index n = training.n_rows();
  Matrix gram(n, n);
  kernel.gram(training, gram, threads);
  const auto upload = [&](const auto& numbers) {
    device.check(device.functions().upload(device.handle(), out, numbers.data(), numbers.size() * number_bytes));
  };
  if (number_bytes == sizeof(double)) {
    Matrix padded = Matrix::Zero(stride, n);
    padded.topRows(n) = gram;
    upload(padded);
  } else {
    Eigen::MatrixXf padded = Eigen::MatrixXf::Zero(stride, n);
    padded.topRows(n) = gram.cast<float>();
    upload(padded);
  }
}

}  // namespace

bool devices_compute(const FittedKernel& kernel) {
  return !kernel.has_features() && kernel.function().formula().has_value();
}

bool devices_compute_features(const FittedKernel& kernel) {
  return kernel.spec().features.kind == FeatureKind::nystrom && kernel.function().formula().has_value() &&
         kernel.normalization().kind != Normalize::diagonal;
}

KernelRequest::KernelRequest(const FittedKernel& kernel, void* out) {
  const MapFormula formula = *kernel.function().formula();
  kernel_.base = base_number(kernel.base());
  kernel_.map = map_number(formula.kind);
  std::ranges::copy(formula.parameters, kernel_.parameters);
  kernel_.out = out;
  row_columns_.assign(kernel.spec().columns.begin(), kernel.spec().columns.end());
  kernel_.n_columns = static_cast<std::int32_t>(row_columns_.size());
}

KernelRequest::KernelRequest(const FittedKernel& kernel, const Samples& training, void* out)
    : KernelRequest(kernel, out) {
  set_normalization(kernel.normalization(), kernel_);
  column_columns_ = row_columns_;
  row_terms_ = column_terms_ = kernel.training_terms(training);
  if (kernel.spec().jitter == 0) return;
  diagonal_.resize(training.n_rows());
  for (Index i = 0; i < diagonal_.size(); ++i) diagonal_(i) = kernel.scaled_jitter(row_terms_, i);
}

KernelRequest::KernelRequest(const FittedKernel& kernel, RowTerms rows, RowTerms columns)
    : KernelRequest(kernel, nullptr) {
  set_normalization(kernel.normalization(), kernel_);
  column_columns_ = row_columns_;
  row_terms_ = std::move(rows);
  column_terms_ = std::move(columns);
}

KernelRequest::KernelRequest(const FittedKernel& kernel, const Samples& training, Index first, Index count, void* out)
    : KernelRequest(kernel, out) {
  // φ takes over the trace in its whitening; where it is centred, it subtracts the means of the raw features.
  kernel_.normalization = SPICYMKL_NORMALIZE_SUM;
  column_terms_.values = kernel.features().constants().offset;
  column_columns_.resize(row_columns_.size());
  std::iota(column_columns_.begin(), column_columns_.end(), 0);
  row_terms_.present = training.views.presence(kernel.spec().columns, first, count);
}

spicymkl_device_kernel KernelRequest::get() const {
  spicymkl_device_kernel kernel = kernel_;
  kernel.row_columns = row_columns_.data();
  kernel.column_columns = column_columns_.data();
  kernel.row_terms = or_null(row_terms_.values);
  kernel.column_terms = or_null(column_terms_.values);
  kernel.row_present = or_null(row_terms_.present);
  kernel.column_present = or_null(column_terms_.present);
  kernel.diagonal = or_null(diagonal_);
  return kernel;
}

void compute_grams(const Device& device, const spicymkl_device_table& table, const Samples& training,
                   const std::vector<const FittedKernel*>& kernels, std::span<void* const> out, Index stride,
                   int number_bytes, int threads) {
  std::vector<KernelRequest> requests;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (devices_compute(*kernels[k])) requests.emplace_back(*kernels[k], training, out[k]);
    else send_gram(device, *kernels[k], training, out[k], stride, number_bytes, threads);
  }
  std::vector<spicymkl_device_kernel> ready;
  for (const KernelRequest& request : requests) ready.push_back(request.get());
  if (!ready.empty())
    device.check(device.functions().compute(device.handle(), &table, &table, ready.data(), std::ssize(ready), stride,
                                            number_bytes, 1));
}

}  // namespace spicymkl
