// Loops compiled for the machine at hand. The default build runs on every x86-64, so its vectors hold 2 doubles; the
// body given to simd_dispatch is compiled again for AVX2 and AVX-512, and the widest that this processor has is run.
// Written by hand, not with Highway: its exp takes a third longer (vector_exp.cpp), and its dispatch compiles whole
// files again for each level, where this takes a lambda.
#pragma once

#include <cstdint>
#include <type_traits>

#include "spicymkl/core/types.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define SPICYMKL_SIMD_DISPATCH 1
#endif

/// Goes after the parameter list of a lambda given to simd_dispatch, and before every function that its loop calls:
/// code that is not inlined would stay compiled for the default machine.
#if defined(__GNUC__)
#define SPICYMKL_INLINE __attribute__((always_inline))
#else
#define SPICYMKL_INLINE
#endif

namespace spicymkl {

/// Doubles in a vector, given to the body as a constant of the compiler.
template <Index lanes>
using Lanes = std::integral_constant<Index, lanes>;

/// `lanes` doubles or 64-bit integers that the compiler keeps in one register. Where loops have choices in them, this
/// is surer than trusting the compiler to vectorise.
template <Index lanes>
struct Simd {
  typedef double Pack __attribute__((vector_size(lanes * sizeof(double))));
  typedef std::int64_t Bits __attribute__((vector_size(lanes * sizeof(double))));
  /// A pack anywhere in an array of doubles: *reinterpret_cast<Unaligned*>(x + i) loads and stores.
  typedef double Unaligned __attribute__((vector_size(lanes * sizeof(double)), aligned(sizeof(double)), may_alias));
};

enum class SimdLevel { baseline, avx2, avx512 };

#ifdef SPICYMKL_SIMD_DISPATCH

/// The widest vectors of this processor; found once, never changed.
inline SimdLevel simd_level() {
  static const SimdLevel level =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
          ? SimdLevel::avx512
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? SimdLevel::avx2
                                                                        : SimdLevel::baseline;
  return level;
}

namespace simd_detail {

#ifdef __clang__
#define SPICYMKL_AVX512 "avx512f,avx512dq,avx512vl,avx2,fma"
#else
#define SPICYMKL_AVX512 "avx512f,avx512dq,avx512vl,avx2,fma,prefer-vector-width=512"
#endif

template <class Body>
__attribute__((target("avx2,fma"))) void run_avx2(const Body& body) {
  body(Lanes<4>{});
}

template <class Body>
__attribute__((target(SPICYMKL_AVX512))) void run_avx512(const Body& body) {
  body(Lanes<8>{});
}

}  // namespace simd_detail

/// Runs body(Lanes<2 | 4 | 8>{}), a generic lambda marked SPICYMKL_INLINE.
template <class Body>
void simd_dispatch(const Body& body, SimdLevel level = simd_level()) {
  switch (level) {
    case SimdLevel::avx512:
      return simd_detail::run_avx512(body);
    case SimdLevel::avx2:
      return simd_detail::run_avx2(body);
    case SimdLevel::baseline:
      return body(Lanes<2>{});
  }
}

#else

inline SimdLevel simd_level() { return SimdLevel::baseline; }

/// Elsewhere there is one level: four doubles, on ARM two NEON registers, whose fused multiply-adds overlap.
template <class Body>
void simd_dispatch(const Body& body, SimdLevel = SimdLevel::baseline) {
  body(Lanes<4>{});
}

#endif

}  // namespace spicymkl
