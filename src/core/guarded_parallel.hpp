// A parallel loop over parts that may throw: an exception must not leave a thread of its own.
#pragma once

#include <exception>
#include <vector>

#include "spicymkl/core/parallel.hpp"

namespace spicymkl {

/// Calls body(part) for 0 ≤ part < parts; afterwards rethrows the exception of the lowest part, so that a faulty file
/// gives the same sentence whatever the number of threads. A thread goes through its parts in order and ends with the
/// first that fails: a million parts that all stop would throw a million times.
template <class Body>
void guarded_parallel(Index parts, int threads, const Body& body) {
  std::vector<std::exception_ptr> faults(parts);
  parallel_for(parts, threads, kWorthAThread, [&](Index begin, Index end) {
    for (Index part = begin; part < end; ++part) {
      try {
        body(part);
      } catch (...) {
        faults[part] = std::current_exception();
        return;
      }
    }
  });
  for (const std::exception_ptr& fault : faults)
    if (fault) std::rethrow_exception(fault);
}

}  // namespace spicymkl
