// Threads in one place: every parallel loop of the library goes through parallel_for.
#pragma once

#include <algorithm>
#include <exception>
#include <mutex>

#include "spicymkl/core/types.hpp"

#ifdef SPICYMKL_STD_THREADS
#include <thread>
#include <vector>
#else
#include <omp.h>
#endif

namespace spicymkl {

/// Cores this process may use.
int available_threads();

/// 0 means all cores; anything else is taken as it is (at least 1).
int resolve_threads(int requested);

/// `threads`, or as many as the system grants; 1 in a process that was forked off another which had used threads: the
/// pool of libgomp is not there any more, and waiting for it would never end.
int usable_threads(int threads);

/// While it lives, BLAS calls made from this thread use `threads` threads.
class ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int previous_;
};

/// Work, in multiplications or so, below which waking a thread costs more than it saves.
inline constexpr double kWorthAThread = 3e5;

/// Calls body(begin, end) on contiguous parts of [0, n), at most `threads` of them and no more than the work is worth,
/// where an item costs about `cost` multiplications. The parts depend on the arguments alone, so that results do not
/// change from run to run. BLAS called inside a part runs on that part's thread. What a part throws, lack of memory
/// say, is thrown to the caller when all have ended.
template <class Body>
void parallel_for(Index n, int threads, double cost, const Body& body) {
  const auto worth = static_cast<Index>(static_cast<double>(n) * cost / kWorthAThread);
  const Index parts = std::min(n, std::max(Index{1}, std::min(static_cast<Index>(threads), worth)));
  const int n_threads = usable_threads(static_cast<int>(parts));
  if (n_threads <= 1) {
    const ThreadScope scope(1);  // else BLAS inside the only part would take every core, whatever was asked for
    for (Index part = 0; part < parts; ++part) body(n * part / parts, n * (part + 1) / parts);
    return;
  }
  std::exception_ptr failure;
  std::mutex failing;
  const auto run_part = [&](Index part) {
    try {
      body(n * part / parts, n * (part + 1) / parts);
    } catch (...) {
      const std::scoped_lock lock(failing);
      failure = std::current_exception();
    }
  };
#ifdef SPICYMKL_STD_THREADS
  // The thread sanitizer does not see the barriers of libgomp; plain threads let it check the loop bodies.
  std::vector<std::jthread> workers;
  for (Index part = 0; part < parts; ++part) workers.emplace_back([&, part] { run_part(part); });
  workers.clear();
#else
#pragma omp parallel for schedule(static, 1) num_threads(n_threads)
  for (Index part = 0; part < parts; ++part) run_part(part);
#endif
  if (failure) std::rethrow_exception(failure);
}

}  // namespace spicymkl
