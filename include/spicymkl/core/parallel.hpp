// Threads in one place: every parallel loop of the library goes through parallel_for.
#pragma once

#include <algorithm>

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
/// change from run to run. BLAS called inside a part runs on that part's thread.
template <class Body>
void parallel_for(Index n, int threads, double cost, const Body& body) {
  const auto worth = static_cast<Index>(static_cast<double>(n) * cost / kWorthAThread);
  const Index parts = std::min({static_cast<Index>(threads), n, worth});
  if (parts <= 1) {
    const ThreadScope scope(1);  // else BLAS inside the only part would take every core, whatever was asked for
    if (n > 0) body(Index{0}, n);
    return;
  }
#ifdef SPICYMKL_STD_THREADS
  // The thread sanitizer does not see the barriers of libgomp; plain threads let it check the loop bodies.
  std::vector<std::jthread> workers;
  for (Index part = 0; part < parts; ++part)
    workers.emplace_back([&, part] { body(n * part / parts, n * (part + 1) / parts); });
#else
  const int n_threads = static_cast<int>(parts);
#pragma omp parallel for schedule(static, 1) num_threads(n_threads)
  for (Index part = 0; part < parts; ++part) body(n * part / parts, n * (part + 1) / parts);
#endif
}

}  // namespace spicymkl
