// A device of CUDA: its stream, libraries and workspaces, and how failures become statuses of the plugin's interface.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "device/device_api.h"

namespace spicymkl::cuda {

/// What ended a call: a status of the interface and a few words.
struct Failure {
  int status;
  std::string text;
};

void check(cudaError_t result, const char* what);
void check(cublasStatus_t result, const char* what);
void check(cusolverStatus_t result, const char* what);

/// Memory of the device that grows as it is needed and is kept from one call to the next.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() { reset(); }

  template <class Number>
  Number* numbers(std::size_t count, cudaStream_t stream) {
    return static_cast<Number*>(bytes(count * sizeof(Number), stream));
  }
  void reset();

 private:
  void* bytes(std::size_t size, cudaStream_t stream);

  void* memory_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

/// Memory of the process that the device reads and writes by itself, and whether it has.
struct PinnedPiece {
  void* memory = nullptr;
  cudaEvent_t is_done = nullptr;
  void release();
};

/// What workspaces are for; each is free again when the call that uses it ends.
enum Purpose { kPointers, kVectors, kWeights, kPartial, kResult, kDescriptions, kTerms, kPlaces, kSolver, kPurposes };

/// n_numbers of the process, on the device until the workspace is used again.
template <class Number>
Number* put(spicymkl_device& device, Purpose purpose, const Number* from, std::size_t count);

}  // namespace spicymkl::cuda

struct spicymkl_device {
  cudaStream_t stream = nullptr;
  cublasHandle_t blas = nullptr;
  cudaStream_t second_stream = nullptr;  // for work beside that of the first,
  cublasHandle_t second_blas = nullptr;
  cudaEvent_t first_is_there = nullptr, second_is_there = nullptr;  // and for each to wait for the other
  cusolverDnHandle_t solver = nullptr;
  cusolverDnParams_t solver_parameters = nullptr;
  int number = 0;
  std::string error;
  std::recursive_mutex mutex;
  std::array<spicymkl::cuda::Workspace, spicymkl::cuda::kPurposes> workspaces;
  std::vector<char> solver_host;  // the workspace that cuSOLVER wants in the process
  std::array<spicymkl::cuda::PinnedPiece, 2> stage;  // of large transfers

  template <class Number>
  Number* workspace(spicymkl::cuda::Purpose purpose, std::size_t count) {
    return workspaces[purpose].numbers<Number>(count, stream);
  }
  void finish() { spicymkl::cuda::check(cudaStreamSynchronize(stream), "waiting for the device"); }
};

struct spicymkl_device_system {
  explicit spicymkl_device_system(spicymkl_device& of) : device(of) {}
  virtual ~spicymkl_device_system() = default;
  spicymkl_device& device;
};

namespace spicymkl::cuda {

/// When it returns, `from` may be written to again.
void send_bytes(spicymkl_device& device, void* to, const void* from, std::size_t bytes);
/// When it returns, the bytes are there.
void fetch_bytes(spicymkl_device& device, void* to, const void* from, std::size_t bytes);

template <class Number>
Number* put(spicymkl_device& device, Purpose purpose, const Number* from, std::size_t count) {
  Number* to = device.workspace<Number>(purpose, count);
  send_bytes(device, to, from, count * sizeof(Number));
  return to;
}

template <class Number>
void get(spicymkl_device& device, Number* to, const Number* from, std::size_t count) {
  fetch_bytes(device, to, from, count * sizeof(Number));
}

inline void launched(const char* what) { check(cudaGetLastError(), what); }

/// Runs a call on its device, one at a time, and turns its failure into a status.
template <class Body>
int guarded(spicymkl_device* device, const Body& body) {
  const std::scoped_lock lock(device->mutex);
  try {
    check(cudaSetDevice(device->number), "choosing the device");
    body();
    return SPICYMKL_DEVICE_OK;
  } catch (const Failure& failure) {
    device->error = failure.text;
    return failure.status;
  } catch (const std::exception& error) {
    device->error = error.what();
    return SPICYMKL_DEVICE_FAILED;
  }
}

inline unsigned blocks_for(std::int64_t count, std::int64_t per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

// The operations, file by file.

void compute(spicymkl_device& device, const spicymkl_device_table& rows, const spicymkl_device_table& columns,
             const spicymkl_device_kernel* kernels, std::int64_t count, std::int64_t stride, int number_bytes,
             bool symmetric);
void computed_forms(spicymkl_device& device, const spicymkl_device_table& table, const spicymkl_device_kernel* kernels,
                    std::int64_t count, const double* V, std::int64_t width, double* out);
void computed_products(spicymkl_device& device, const spicymkl_device_table& rows, const spicymkl_device_table& columns,
                       const spicymkl_device_kernel* kernels, std::int64_t count, const double* W, std::int64_t width,
                       double* out);
void gather(spicymkl_device& device, const spicymkl_device_set& set, const std::int64_t* places, std::int64_t n_places,
            std::int64_t stride, void* const* out);
void examine(spicymkl_device& device, const spicymkl_device_set& set, double* out);
void diagonals(spicymkl_device& device, const spicymkl_device_set& set, double* out);
void forms(spicymkl_device& device, const spicymkl_device_set& set, const double* V, std::int64_t width, double* out);
void products(spicymkl_device& device, const spicymkl_device_set& set, const double* V, std::int64_t width,
              double* out);
void weighted_product(spicymkl_device& device, const spicymkl_device_set& set, const double* weights, const double* V,
                      std::int64_t width, double* out);
/// Lower triangle of A += Σ weights_k K_k, A on the device with `stride`.
void add_weighted(spicymkl_device& device, const spicymkl_device_set& set, const double* weights, double* A,
                  std::int64_t stride);
void weighted_sum(spicymkl_device& device, const spicymkl_device_set& set, const double* weights, bool add,
                  std::int64_t stride, double* out);
void factor_sums(spicymkl_device& device, const spicymkl_device_factors& factors, const double* V, std::int64_t width,
                 double* out);
void factor_products(spicymkl_device& device, const spicymkl_device_factors& factors, const double* W,
                     std::int64_t width, bool together, double* out);

void gather_rows(spicymkl_device& device, const spicymkl_device_factors& factors, const std::int64_t* places,
                 std::int64_t n_places, double* const* out);
void factor_diagonal(spicymkl_device& device, const spicymkl_device_factors& factors, const double* weights,
                     double* out);

/// Cholesky factorisation of the lower triangle in place, and its use; false when it is not positive definite.
bool cholesky(spicymkl_device& device, double* A, std::int64_t n, std::int64_t stride);
void cholesky_solve(spicymkl_device& device, const double* L, std::int64_t n, std::int64_t stride, double* rhs,
                    std::int64_t width);

}  // namespace spicymkl::cuda
