// Threads in one place: every parallel loop of the library goes through parallel_for.
#pragma once

#include <algorithm>
#include <exception>
#include <mutex>

#include "spicymkl/core/types.hpp"

namespace spicymkl {

/// Cores this process may use.
int available_threads();

/// 0 means all cores; anything else is taken as it is (at least 1).
int resolve_threads(int requested);

/// `threads`; 1 in a process that was forked off another which had used threads: those are not there any more.
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

/// Calls part(context, k) for 0 ≤ k < parts on at most `threads` threads, this one included. Parts must not throw.
void run_parts(Index parts, int threads, void (*part)(void* context, Index k), void* context);

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
  auto run_part = [&](Index part) {
    try {
      body(n * part / parts, n * (part + 1) / parts);
    } catch (...) {
      const std::scoped_lock lock(failing);
      failure = std::current_exception();
    }
  };
  using Part = decltype(run_part);
  run_parts(
      parts, n_threads, [](void* context, Index k) { (*static_cast<Part*>(context))(k); }, &run_part);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace spicymkl
