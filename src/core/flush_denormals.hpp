// Numbers below the smallest normal one count as 0 for a while.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace spicymkl {

/// Narrow Gaussians have entries like 1e-310. They mean nothing beside a diagonal of 1, but a processor takes a hundred
/// times as long for each product with one, which made passes over such kernels twice to six times as long. While this
/// object lives, the calling thread takes them, as operands and as results, for 0.
class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kFlushResults | kFlushOperands); }
  ~FlushDenormals() { _mm_setcsr(before_); }
#else
  FlushDenormals() = default;
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__SSE2__)
 private:
  static constexpr unsigned kFlushResults = 0x8000, kFlushOperands = 0x0040;
  unsigned before_;
#endif
};

}  // namespace spicymkl
