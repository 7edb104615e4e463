#include "spicymkl/core/parallel.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

namespace spicymkl {

std::vector<Index> all_kernels(Index n) {
  std::vector<Index> kernels(static_cast<std::size_t>(n));
  std::iota(kernels.begin(), kernels.end(), Index{0});
  return kernels;
}

int usable_threads(int threads) {
  if (threads <= 1) return 1;
  static const pid_t first_user = ::getpid();
  return ::getpid() == first_user ? threads : 1;
}

int available_threads() { return omp_get_num_procs(); }

int resolve_threads(int requested) { return requested <= 0 ? available_threads() : requested; }

ThreadScope::ThreadScope(int threads) : previous_(omp_get_max_threads()) {
  omp_set_num_threads(usable_threads(threads));
}

ThreadScope::~ThreadScope() { omp_set_num_threads(previous_); }

}  // namespace spicymkl
