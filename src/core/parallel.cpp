#include "spicymkl/core/parallel.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <system_error>
#include <thread>
#include <vector>

namespace spicymkl {

std::vector<Index> all_kernels(Index n) {
  std::vector<Index> kernels(n);
  std::iota(kernels.begin(), kernels.end(), Index{0});
  return kernels;
}

namespace {

/// How many of so many threads the system lets this process have at once, this one included.
int startable_threads(int threads) {
  std::mutex waiting;
  std::vector<std::jthread> started;
  const std::lock_guard until_all_are_there(waiting);  // released before they are waited for
  try {
    started.reserve(threads);
    while (static_cast<int>(started.size()) + 1 < threads)
      started.emplace_back([&waiting] { const std::lock_guard wait(waiting); });
  } catch (const std::system_error&) {
  }
  return static_cast<int>(started.size()) + 1;
}

/// libgomp ends the program where it cannot start a thread, so that the system is asked first: once for every number
/// that is larger than all before.
int granted_threads(int threads) {
  static std::mutex asking;
  static int asked = 1, granted = 1;
  const std::lock_guard lock(asking);
  if (threads > asked) {
    granted = startable_threads(threads);
    asked = threads;
  }
  return std::min(threads, granted);
}

}  // namespace

int usable_threads(int threads) {
  if (threads <= 1) return 1;
  static const pid_t first_user = ::getpid();
  return ::getpid() == first_user ? granted_threads(threads) : 1;
}

int available_threads() { return omp_get_num_procs(); }

int resolve_threads(int requested) { return requested <= 0 ? available_threads() : requested; }

ThreadScope::ThreadScope(int threads) : previous_(omp_get_max_threads()) {
  omp_set_num_threads(usable_threads(threads));
}

ThreadScope::~ThreadScope() { omp_set_num_threads(previous_); }

}  // namespace spicymkl
