#include "spicymkl/core/parallel.hpp"

#include <cblas.h>
#include <omp.h>
#include <unistd.h>

#include <numeric>
#include <vector>

#include "thread_pool.hpp"

namespace spicymkl {

std::vector<Index> all_kernels(Index n) {
  std::vector<Index> kernels(n);
  std::iota(kernels.begin(), kernels.end(), Index{0});
  return kernels;
}

int usable_threads(int threads) {
  if (threads <= 1) return 1;
  static const pid_t first_user = ::getpid();
  return ::getpid() == first_user ? threads : 1;
}

int available_threads() {
  static const int cores = omp_get_num_procs();  // as it began; a rank of MPI counts its share, then leaves it
  return cores;
}

int resolve_threads(int requested) { return requested <= 0 ? available_threads() : requested; }

ThreadScope::ThreadScope(int threads) : previous_(omp_get_max_threads()) {
  omp_set_num_threads(usable_threads(threads));
}

ThreadScope::~ThreadScope() { omp_set_num_threads(previous_); }

void run_parts(Index parts, int threads, void (*part)(void* context, Index k), void* context) {
  const ThreadScope one(1);
  // OpenBLAS changes its number of threads at the first call that wants another, and not safely from several threads.
  if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
  ThreadPool::instance().run({part, context, parts}, threads);
}

}  // namespace spicymkl
