// The table of functions that the library finds in libspicymkl_cuda.so.
#include <cstdio>
#include <memory>

#include "device.cuh"
#include "systems.cuh"

namespace spicymkl::cuda {

namespace {

int status_of(cudaError_t result) {
  switch (result) {
    case cudaErrorMemoryAllocation:
      return SPICYMKL_DEVICE_OUT_OF_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorDevicesUnavailable:
      return SPICYMKL_DEVICE_ABSENT;
    case cudaErrorIllegalAddress:
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorContained:
      return SPICYMKL_DEVICE_LOST;
    default:
      return SPICYMKL_DEVICE_FAILED;
  }
}

}  // namespace

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // failures that the device survives are forgotten
  throw Failure{status_of(result), std::string(what) + ": " + cudaGetErrorString(result)};
}

void check(cublasStatus_t result, const char* what) {
  if (result == CUBLAS_STATUS_SUCCESS) return;
  check(cudaGetLastError(), what);
  throw Failure{result == CUBLAS_STATUS_ALLOC_FAILED ? SPICYMKL_DEVICE_OUT_OF_MEMORY : SPICYMKL_DEVICE_FAILED,
                std::string(what) + ": " + cublasGetStatusString(result)};
}

void check(cusolverStatus_t result, const char* what) {
  if (result == CUSOLVER_STATUS_SUCCESS) return;
  check(cudaGetLastError(), what);
  throw Failure{result == CUSOLVER_STATUS_ALLOC_FAILED ? SPICYMKL_DEVICE_OUT_OF_MEMORY : SPICYMKL_DEVICE_FAILED,
                std::string(what) + ": cuSOLVER's status " + std::to_string(result)};
}

void Workspace::reset() {
  if (memory_ != nullptr) cudaFreeAsync(memory_, stream_);
  memory_ = nullptr;
  size_ = 0;
}

void* Workspace::bytes(std::size_t size, cudaStream_t stream) {
  if (size <= size_) return memory_;
  reset();
  check(cudaMallocAsync(&memory_, size, stream), "taking memory to work with");
  size_ = size;
  stream_ = stream;
  return memory_;
}

namespace {

/// Memory that is given back stays with the process: a fit takes and gives the same pieces again and again.
void keep_memory(int number) {
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, number), "finding the device's memory");
  std::uint64_t all = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "keeping the device's memory");
}

/// The libraries load their code when it is first used; that is better done before anybody counts the seconds.
void warm_up(spicymkl_device& device) {
  constexpr std::int64_t n = 1024;
  std::vector<double> matrix(n * n, 0), rhs(n * 2, 1);
  for (std::int64_t i = 0; i < n; ++i) matrix[i * n + i] = 2;
  double* A = put(device, kResult, matrix.data(), matrix.size());
  double* x = put(device, kVectors, rhs.data(), rhs.size());
  cholesky(device, A, n, n);
  cholesky_solve(device, A, n, n, x, 2);
  device.finish();
}

void open_device(int number, spicymkl_device& device) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "looking for a device of CUDA");
  if (number < 0 || number >= count) throw Failure{SPICYMKL_DEVICE_ABSENT, "there is no such device"};
  device.number = number;
  check(cudaSetDevice(number), "choosing the device");
  keep_memory(number);
  check(cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking), "opening the device");
  check(cublasCreate(&device.blas), "starting cuBLAS");
  check(cublasSetStream(device.blas, device.stream), "starting cuBLAS");
  check(cudaStreamCreateWithFlags(&device.second_stream, cudaStreamNonBlocking), "opening the device");
  check(cublasCreate(&device.second_blas), "starting cuBLAS");
  check(cublasSetStream(device.second_blas, device.second_stream), "starting cuBLAS");
  for (cudaEvent_t* event : {&device.first_is_there, &device.second_is_there})
    check(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "opening the device");
  check(cusolverDnCreate(&device.solver), "starting cuSOLVER");
  check(cusolverDnSetStream(device.solver, device.stream), "starting cuSOLVER");
  check(cusolverDnCreateParams(&device.solver_parameters), "starting cuSOLVER");
  warm_up(device);
  check(cudaDeviceSynchronize(),
        "waiting for the device");  // for others in this process, whose arrays may be read next
}

int open(std::int32_t number, spicymkl_device** device) {
  *device = new spicymkl_device;
  try {
    open_device(number, **device);
    return SPICYMKL_DEVICE_OK;
  } catch (const Failure& failure) {
    (*device)->error = failure.text;
    return failure.status;
  }
}

void close(spicymkl_device* device) {
  if (device == nullptr) return;
  cudaSetDevice(device->number);
  for (Workspace& workspace : device->workspaces) workspace.reset();
  if (device->stream != nullptr) cudaStreamSynchronize(device->stream);
  for (PinnedPiece& piece : device->stage) piece.release();
  if (device->solver_parameters != nullptr) cusolverDnDestroyParams(device->solver_parameters);
  if (device->solver != nullptr) cusolverDnDestroy(device->solver);
  for (cublasHandle_t blas : {device->blas, device->second_blas})
    if (blas != nullptr) cublasDestroy(blas);
  for (cudaEvent_t event : {device->first_is_there, device->second_is_there})
    if (event != nullptr) cudaEventDestroy(event);
  for (cudaStream_t stream : {device->stream, device->second_stream})
    if (stream != nullptr) cudaStreamDestroy(stream);
  delete device;
}

/// Free bytes, those that the process keeps without using them included.
int describe(spicymkl_device* device, spicymkl_device_description* out) {
  return guarded(device, [&] {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, device->number), "describing the device");
    std::snprintf(out->name, sizeof(out->name), "%s", properties.name);
    device->finish();
    std::size_t free_bytes = 0, total = 0;
    check(cudaMemGetInfo(&free_bytes, &total), "describing the device");
    cudaMemPool_t pool;
    check(cudaDeviceGetDefaultMemPool(&pool, device->number), "describing the device");
    std::uint64_t reserved = 0, used = 0;
    check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved), "describing the device");
    check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), "describing the device");
    out->total_bytes = static_cast<std::int64_t>(total);
    out->free_bytes = static_cast<std::int64_t>(free_bytes + reserved - used);
  });
}

const char* last_error(spicymkl_device* device) { return device->error.c_str(); }

int allocate(spicymkl_device* device, std::int64_t bytes, void** memory) {
  return guarded(device,
                 [&] { check(cudaMallocAsync(memory, static_cast<std::size_t>(bytes), device->stream), "memory"); });
}

void release(spicymkl_device* device, void* memory) {
  guarded(device, [&] { check(cudaFreeAsync(memory, device->stream), "giving memory back"); });
}

int upload(spicymkl_device* device, void* to, const void* from, std::int64_t bytes) {
  return guarded(device, [&] {
    send_bytes(*device, to, from, static_cast<std::size_t>(bytes));
    device->finish();
  });
}

int download(spicymkl_device* device, void* to, const void* from, std::int64_t bytes) {
  return guarded(device, [&] { get(*device, static_cast<char*>(to), static_cast<const char*>(from), bytes); });
}

int compute_(spicymkl_device* device, const spicymkl_device_table* rows, const spicymkl_device_table* columns,
             const spicymkl_device_kernel* kernels, std::int64_t count, std::int64_t stride, std::int32_t number_bytes,
             std::int32_t symmetric) {
  return guarded(device, [&] {
    compute(*device, *rows, *columns, kernels, count, stride, number_bytes, symmetric != 0);
    device->finish();
  });
}

int computed_forms_(spicymkl_device* device, const spicymkl_device_table* table, const spicymkl_device_kernel* kernels,
                    std::int64_t count, const double* V, std::int64_t width, double* out) {
  return guarded(device, [&] { computed_forms(*device, *table, kernels, count, V, width, out); });
}

int computed_products_(spicymkl_device* device, const spicymkl_device_table* rows, const spicymkl_device_table* columns,
                       const spicymkl_device_kernel* kernels, std::int64_t count, const double* W, std::int64_t width,
                       double* out) {
  return guarded(device, [&] { computed_products(*device, *rows, *columns, kernels, count, W, width, out); });
}

int gather_(spicymkl_device* device, const spicymkl_device_set* set, const std::int64_t* places, std::int64_t n_places,
            std::int64_t stride, void* const* out) {
  return guarded(device, [&] { gather(*device, *set, places, n_places, stride, out); });
}

int examine_(spicymkl_device* device, const spicymkl_device_set* set, double* out) {
  return guarded(device, [&] { examine(*device, *set, out); });
}

int diagonals_(spicymkl_device* device, const spicymkl_device_set* set, double* out) {
  return guarded(device, [&] { diagonals(*device, *set, out); });
}

int forms_(spicymkl_device* device, const spicymkl_device_set* set, const double* V, std::int64_t width, double* out) {
  return guarded(device, [&] { forms(*device, *set, V, width, out); });
}

int products_(spicymkl_device* device, const spicymkl_device_set* set, const double* V, std::int64_t width,
              double* out) {
  return guarded(device, [&] { products(*device, *set, V, width, out); });
}

int weighted_product_(spicymkl_device* device, const spicymkl_device_set* set, const double* weights, const double* V,
                      std::int64_t width, double* out) {
  return guarded(device, [&] { weighted_product(*device, *set, weights, V, width, out); });
}

int weighted_sum_(spicymkl_device* device, const spicymkl_device_set* set, const double* weights, std::int32_t add,
                  std::int64_t stride, double* out) {
  return guarded(device, [&] { weighted_sum(*device, *set, weights, add != 0, stride, out); });
}

int open_system(spicymkl_device* device, std::int64_t n, spicymkl_device_system** system) {
  return guarded(device, [&] { *system = new SampleSystem(*device, n); });
}

void close_system(spicymkl_device_system* system) {
  spicymkl_device& device = system->device;
  guarded(&device, [&] { delete system; });
}

template <class System, class Body>
int with(spicymkl_device_system* system, const Body& body) {
  return guarded(&system->device, [&] { body(static_cast<System&>(*system)); });
}

int set_diagonal(spicymkl_device_system* system, const double* diagonal) {
  return with<SampleSystem>(system, [&](SampleSystem& of) { of.set_diagonal(diagonal); });
}

int add_matrices(spicymkl_device_system* system, const spicymkl_device_set* set, const double* weights) {
  return with<SampleSystem>(system, [&](SampleSystem& of) { of.add_matrices(*set, weights); });
}

int add_factors(spicymkl_device_system* system, const spicymkl_device_factors* factors, const double* roots) {
  return with<SampleSystem>(system, [&](SampleSystem& of) { of.add_factors(*factors, roots); });
}

int add_columns(spicymkl_device_system* system, const double* U, std::int64_t width, double sign) {
  return with<SampleSystem>(system, [&](SampleSystem& of) { of.add_columns(U, width, sign); });
}

int factor(spicymkl_device_system* system) {
  return with<SampleSystem>(system, [&](SampleSystem& of) { of.factor(); });
}

int solve(spicymkl_device_system* system, double* rhs, std::int64_t width) {
  return with<SampleSystem>(system, [&](SampleSystem& of) { of.solve(rhs, width); });
}

int factor_sums_(spicymkl_device* device, const spicymkl_device_factors* factors, const double* V, std::int64_t width,
                 double* out) {
  return guarded(device, [&] { factor_sums(*device, *factors, V, width, out); });
}

int factor_products_(spicymkl_device* device, const spicymkl_device_factors* factors, const double* W,
                     std::int64_t width, std::int32_t together, double* out) {
  return guarded(device, [&] { factor_products(*device, *factors, W, width, together != 0, out); });
}

int gather_rows_(spicymkl_device* device, const spicymkl_device_factors* factors, const std::int64_t* places,
                 std::int64_t n_places, double* const* out) {
  return guarded(device, [&] { gather_rows(*device, *factors, places, n_places, out); });
}

int factor_diagonal_(spicymkl_device* device, const spicymkl_device_factors* factors, const double* weights,
                     double* out) {
  return guarded(device, [&] { factor_diagonal(*device, *factors, weights, out); });
}

int multiply(spicymkl_device* device, std::int64_t rows, std::int64_t inner, std::int64_t columns, const double* A,
             std::int64_t stride_A, const double* B, double* C, std::int64_t stride_C) {
  return guarded(device, [&] {
    const double one = 1, zero = 0;
    check(cublasDgemm_64(device->blas, CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, inner, &one, A, stride_A, B, inner,
                         &zero, C, stride_C),
          "multiplying matrices");
    device->finish();
  });
}

int open_rank_system(spicymkl_device* device, spicymkl_device_system** system) {
  return guarded(device, [&] { *system = new RankSystem(*device); });
}

int factor_ranks(spicymkl_device_system* system, const spicymkl_device_factors* factors, const double* roots,
                 const double* diagonal, const double* low_rank, std::int64_t low_rank_width, double limit,
                 double* largest) {
  return with<RankSystem>(
      system, [&](RankSystem& of) { of.factor(*factors, roots, diagonal, low_rank, low_rank_width, limit, *largest); });
}

int solve_ranks(spicymkl_device_system* system, double* rhs, std::int64_t width, std::int32_t how) {
  return with<RankSystem>(system, [&](RankSystem& of) { of.solve(rhs, width, how); });
}

constexpr spicymkl_device_functions kFunctions = {
    SPICYMKL_DEVICE_API_VERSION,
    open,
    close,
    describe,
    last_error,
    allocate,
    release,
    upload,
    download,
    compute_,
    computed_forms_,
    computed_products_,
    gather_,
    examine_,
    diagonals_,
    forms_,
    products_,
    weighted_product_,
    weighted_sum_,
    open_system,
    close_system,
    set_diagonal,
    add_matrices,
    add_factors,
    add_columns,
    factor,
    solve,
    factor_sums_,
    factor_products_,
    gather_rows_,
    factor_diagonal_,
    multiply,
    open_rank_system,
    factor_ranks,
    solve_ranks,
};

}  // namespace

}  // namespace spicymkl::cuda

extern "C" __attribute__((visibility("default"))) const spicymkl_device_functions* spicymkl_device_api() {
  return &spicymkl::cuda::kFunctions;
}
