#include "vector_exp.hpp"

#include <algorithm>

namespace spicymkl {

namespace {

/// x ← exp(x) = 2ᵏ exp(r), x = k log 2 + r, |r| ≤ log(2)/2, with the Taylor polynomial of degree 13 for exp(r), whose
/// remainder is below 5e-18. By hand because it is faster and closer than Highway 1.0.3: on a Zen 4 processor 1.06
/// against 1.41 ns and 0.84 against 1.00 ulp with AVX2, 0.72 against 0.95 ns with AVX-512; and it leaves no denormal
/// numbers.
template <Index lanes>
SPICYMKL_INLINE inline void exp_pack(typename Simd<lanes>::Pack& x) {
  using Pack = typename Simd<lanes>::Pack;
  using Bits = typename Simd<lanes>::Bits;
  constexpr double kLog2E = 1.4426950408889634074;
  constexpr double kLog2High = 6.93147180369123816490e-01;  // its last 21 bits are zero: k · kLog2High is exact
  constexpr double kLog2Low = 1.90821492927058770002e-10;
  constexpr double kRounder = 6755399441055744.0;  // 1.5 · 2⁵²: adding it leaves the nearest integer in the low bits
  constexpr double kLowest = -708.0;

  const Bits keep = (Bits)(x >= kLowest);
  x = (Pack)((Bits)x & keep);
  const Pack shifted = x * kLog2E + kRounder;
  const Pack k = shifted - kRounder;
  const Pack r = (x - k * kLog2High) - k * kLog2Low;
  Pack p = r * (1.0 / 6227020800) + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  x = (Pack)(((Bits)p + ((Bits)shifted << 52)) & keep);
}

template <Index lanes>
SPICYMKL_INLINE inline void exp_pack_at(double factor, const double* x, double* out) {
  using Unaligned = typename Simd<lanes>::Unaligned;
  typename Simd<lanes>::Pack values = factor * *reinterpret_cast<const Unaligned*>(x);
  exp_pack<lanes>(values);
  *reinterpret_cast<Unaligned*>(out) = values;
}

}  // namespace

void vector_exp(double factor, const double* x, double* out, Index n, SimdLevel level) {
  simd_dispatch(
      [=]<Index lanes>(Lanes<lanes>) SPICYMKL_INLINE {
        const Index whole = n - n % lanes;
        for (Index i = 0; i < whole; i += lanes) exp_pack_at<lanes>(factor, x + i, out + i);
        double rest[lanes] = {};
        std::copy(x + whole, x + n, rest);
        exp_pack_at<lanes>(factor, rest, rest);
        std::copy(rest, rest + (n - whole), out + whole);
      },
      level);
}

}  // namespace spicymkl
